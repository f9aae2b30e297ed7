package dev.sluice.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.TestCall;
import dev.sluice.http.Answers;
import dev.sluice.http.Answers.Answer;
import dev.sluice.open.GivenFile;
import dev.sluice.open.Sluice;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page that a refused browser gets, as a reader sees it. Skipped where there is no Chromium. */
@Timeout(300)
@Tag("thorough")
@Tag("browser")
class RefusalInBrowserTest {

    private static final int HEIGHT = 700;

    @TempDir
    private Path directory;

    private static Answer refusal() {
        try (Sluice sluice = Sluice.builder()
                .config(GivenFile.of("- { id: all, pathPattern: /**, tiers: [ { period: 1d, threshold: 1 } ] }"))
                .open()) {
            sluice.decide(TestCall.get("/"));
            return new Answers(sluice).to(sluice.decide(TestCall.get("/")), "/", "text/html");
        }
    }

    @ParameterizedTest
    @CsvSource({"390, false", "390, true", "320, false", "1280, false", "1280, true"})
    void saysWhenToRetry(int width, boolean isDark) throws Exception {
        assumeTrue(Chromium.installed().isPresent(), "there is no Chromium on the PATH: apt-get install chromium");
        Answer answer = refusal();
        Path page = Files.writeString(directory.resolve("refused.html"), answer.body());
        try (Chromium chromium = Chromium.start();
                Tab tab = chromium.open()) {
            tab.look(width, HEIGHT, 2, isDark);
            tab.show(page.toUri().toString());
            tab.await("document.querySelector('p')", 60);
            String folder = System.getProperty("sluice.pictures");
            if (folder != null) {
                Files.write(Path.of(folder, "refusal-" + width + (isDark ? "-dark" : "") + ".png"), tab.picture());
            }
            assertThat(tab.evaluate("document.documentElement.scrollWidth").asInt())
                    .as("nothing stands beside the page")
                    .isLessThanOrEqualTo(width);
            assertThat(tab.evaluate("document.querySelector('p').innerText").asText())
                    .matches("Rate limit exceeded; try again in \\d+ (seconds?|minutes|hours)\\.");
            assertThat(tab.evaluate("document.querySelector('p').getBoundingClientRect().bottom")
                            .asInt())
                    .as("the reader need not scroll")
                    .isBetween(1, HEIGHT);
            assertThat(tab.evaluate("getComputedStyle(document.querySelector('h1')).color")
                            .asText())
                    .isEqualTo(isDark ? "rgb(255, 255, 255)" : "rgb(0, 0, 0)");
            assertThat(tab.complaints()).isEmpty();
            assertThat(contrast(tab)).as("of the text").isGreaterThan(4.5);
        }
    }

    /** The contrast of the faintest text with the ground, as WCAG 2 measures it. */
    private static double contrast(Tab tab) {
        return tab.evaluate("""
                (() => {
                  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
                  const paint = (color, alpha) => {
                    canvas.globalAlpha = alpha;
                    canvas.fillStyle = color;
                    canvas.fillRect(0, 0, 1, 1);
                  };
                  const light = () => {
                    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data]
                      .map(c => c / 255).map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
                    return .2126 * r + .7152 * g + .0722 * b;
                  };
                  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
                  return Math.min(...[...document.querySelectorAll('h1, p, small')].map(text => {
                    const style = getComputedStyle(text);
                    paint(isDark ? '#121212' : '#fff', 1);
                    const ground = light();
                    paint(style.color, Number(style.opacity));
                    const ink = light();
                    return (Math.max(ground, ink) + .05) / (Math.min(ground, ink) + .05);
                  }));
                })()""").asDouble();
    }
}
