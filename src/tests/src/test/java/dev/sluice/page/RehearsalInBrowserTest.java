package dev.sluice.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.cli.Invocation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page that {@code rehearse --html} writes, in a real browser. */
@Tag("thorough")
@Tag("browser")
class RehearsalInBrowserTest {

    private static final String HOSTILE = "</script><script>owned=1</script><img src=x onerror=owned=1>";

    @TempDir
    private Path directory;

    @BeforeAll
    static void wantsABrowser() {
        assumeTrue(Chromium.installed().isPresent(), "there is no Chromium on the PATH: apt-get install chromium");
    }

    private Path page() throws IOException {
        String limits = Files.writeString(directory.resolve("limits.yml"), """
                        - { id: all, pathPattern: /**, tiers: [ { period: 10s, threshold: 3 } ] }
                        """).toString();
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            log.append("203.0.113.%d %d \"GET /p HTTP/1.1\" \"%s\"%n"
                    .formatted(i % 7, 1_772_409_600 + i, i % 3 == 0 ? HOSTILE : "-"));
        }
        String lines = Files.writeString(
                        directory.resolve("a.log"), log.append(HOSTILE).append('\n'))
                .toString();
        Path page = directory.resolve("report.html");
        Invocation run = Invocation.of(
                "rehearse",
                limits,
                lines,
                "--format",
                "$remote_addr $msec \"$request\" \"$http_x_org_id\"",
                "--html",
                page.toString());
        assertThat(run.exitCode()).as(run.err()).isZero();
        return page;
    }

    @Test
    void drawsItsChartsOfflineAndShowsNamesAsText() throws Exception {
        Path page = page();
        try (Chromium chromium = Chromium.start();
                Tab tab = chromium.open()) {
            for (boolean isDark : new boolean[] {false, true}) {
                tab.look(1200, 900, 1, isDark);
                tab.show(page.toUri().toString());
                tab.await("document.querySelectorAll('.plot canvas').length === 2", 20);
                assertThat(tab.evaluate("typeof owned").asText()).isEqualTo("undefined");
                assertThat(tab.evaluate("document.querySelectorAll('img').length")
                                .asInt())
                        .isZero();
                assertThat(tab.evaluate("document.body.textContent").asText()).contains("tenant=\"" + HOSTILE);
                assertThat(tab.requests()).allMatch(address -> address.startsWith("file:"));
                assertThat(tab.complaints()).isEmpty();
                assertThat(violations(tab)).isEqualTo("");
            }
        }
    }

    /** The violations that axe finds of WCAG 2.2, levels A and AA. */
    private static String violations(Tab tab) throws IOException {
        try (InputStream axe = RehearsalInBrowserTest.class.getResourceAsStream("/axe.min.js")) {
            tab.evaluate(new String(axe.readAllBytes(), StandardCharsets.UTF_8) + "; 0");
        }
        return tab.evaluate(
                        "axe.run({ preload: false, runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })"
                                + ".then(found => found.violations.map(one => one.id + ': ' + one.nodes[0].html).join('\\n'))")
                .asText();
    }
}
