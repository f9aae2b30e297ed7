package dev.sluice.cli.rehearse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.cli.Invocation;
import dev.sluice.page.Chromium;
import dev.sluice.page.Tab;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page of a rehearsal in a browser, without a server or a network. Skipped where there is no Chromium. */
@Timeout(300)
@Tag("thorough")
@Tag("browser")
class ReportInBrowserTest {

    private static final String LIMITS = """
        subjects: { caller: [ principal, ip ] }
        endpoints:
          - { id: a, pathPattern: /**, per: [ caller ], tiers: [ { period: 10s, threshold: 1, block: { after: 3, within: 1m, for: 15m } } ] }
        """;

    @TempDir
    private Path directory;

    private void assertShows(String log, int width, boolean isDark, String... texts) throws Exception {
        assumeTrue(Chromium.installed().isPresent(), "there is no Chromium on the PATH: apt-get install chromium");
        Path limits = Files.writeString(directory.resolve("limits.yml"), LIMITS);
        Path page = directory.resolve("report.html");
        Invocation.of("rehearse", limits.toString(), log, "--html", page.toString());
        try (Chromium chromium = Chromium.start();
                Tab tab = chromium.open()) {
            tab.look(width, 900, 1, isDark);
            tab.show(page.toUri().toString());
            tab.await("document.querySelectorAll('.plot canvas').length > 1", 60);
            assertThat(tab.evaluate("document.body.innerText").asText()).contains(texts);
            assertThat(tab.evaluate("document.documentElement.scrollWidth").asInt())
                    .as("nothing stands beside the page")
                    .isLessThanOrEqualTo(width);
            assertThat(tab.evaluate("document.title").asText()).isEqualTo("Rehearsal of " + limits);
            assertThat(tab.complaints())
                    .as("errors, console, reports of the policy")
                    .isEmpty();
            assertThat(tab.requests())
                    .allSatisfy(address ->
                            assertThat(address).isEqualTo(page.toUri().toString()));
        }
    }

    @ParameterizedTest
    @CsvSource({"1280, false", "1280, true", "390, false"})
    void showsTheExample(int width, boolean isDark) throws Exception {
        assertShows(
                "examples/rehearse/access.log",
                width,
                isDark,
                "8,482",
                "caller=192.0.2.66",
                "Calls of one client in 10s",
                "Blocked",
                " blocks for ");
    }

    @Test
    void namesAreTextAndNeverMarkup() throws Exception {
        StringBuilder log = new StringBuilder();
        for (String name : new String[] {
            "</script><script>document.title='owned'</script>", "<img/src=x/onerror=alert(1)>", "\u202egnp"
        }) {
            log.append("203.0.113.1 - %s [02/Mar/2026:00:00:01 +0000] \"GET / HTTP/1.1\" 200 1%n"
                    .formatted(name)
                    .repeat(3));
        }
        log.append("<script>document.title='owned'</script>\n");
        Path file = Files.writeString(directory.resolve("a.log"), log);
        assertShows(
                file.toString(),
                1280,
                false,
                "caller=\"</script><script>document.title='owned'</script>\"",
                "caller=\"<img/src=x/onerror=alert(1)>\"",
                "caller=\"\\u202egnp\"",
                "a.log:10: <script>document.title='owned'</script>");
    }
}
