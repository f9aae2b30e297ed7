package dev.sluice.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.TestCall;
import dev.sluice.config.Sluice;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DecisionMetersTest {

    private static final String FILE = """
            clients:
              - { tenant: partner, exempt: true }
            endpoints:
              - { id: hard, pathPattern: /hard, tiers: [ { period: 1d, threshold: 2 }, { period: 2d, threshold: 100 } ] }
              - { id: soft, pathPattern: /soft, tiers: [ { period: 1d, threshold: 2, tolerance: 50% } ] }
              - { id: rehearsed, pathPattern: /rehearsed, mode: dry-run, tiers: [ { period: 1d, threshold: 2 } ] }
            """;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private Sluice sluice;

    @BeforeEach
    void open(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("rate-limits.yml"), FILE);
        sluice = Sluice.builder()
                .config(file.toString())
                .listener(new DecisionMeters(registry))
                .open();
    }

    @AfterEach
    void close() {
        sluice.close();
    }

    private void call(int times, String path, String tenant) {
        for (int i = 0; i < times; i++) {
            sluice.decide(TestCall.get(path).of(tenant));
        }
    }

    /** What was counted of an endpoint, such as {@code 1d refused} to 3; without zeros. */
    private Map<String, Integer> counted(String endpoint) {
        Map<String, Integer> counted = new TreeMap<>();
        for (Counter counter :
                registry.find("sluice.decisions").tag("endpoint", endpoint).counters()) {
            if (counter.count() > 0) {
                String tags =
                        counter.getId().getTag("tier") + " " + counter.getId().getTag("outcome");
                counted.put(tags, (int) counter.count());
            }
        }
        return counted;
    }

    @Test
    void tellsWhatPassesFromWhatIsRefusedAndByWhichTier() {
        call(5, "/hard", "acme");
        assertThat(counted("hard")).isEqualTo(Map.of("1d admitted", 2, "1d refused", 3));
    }

    @Test
    void flagsWhatPassesBeyondTheThreshold() {
        call(5, "/soft", "acme");
        assertThat(counted("soft")).isEqualTo(Map.of("1d admitted", 2, "1d admitted-beyond", 1, "1d refused", 2));
    }

    @Test
    void tellsWhatADryRunWouldRefuse() {
        call(5, "/rehearsed", "acme");
        assertThat(counted("rehearsed")).isEqualTo(Map.of("1d admitted", 2, "1d would-refuse", 3));
    }

    @Test
    void countsTheExemptApart() {
        call(5, "/hard", "partner");
        assertThat(counted("hard")).isEqualTo(Map.of("1d exempt", 5));
    }

    @Test
    void showsAtOnceWhatHasNotHappenedYet() {
        call(1, "/hard", "acme");
        assertThat(registry.get("sluice.decisions")
                        .tags("endpoint", "hard", "tier", "1d", "outcome", "refused")
                        .counter()
                        .count())
                .isZero();
    }

    @Test
    void hasTheOutcomesThatItsPageLists() throws IOException {
        call(1, "/rehearsed", "acme");
        Set<String> listed = Files.readAllLines(Path.of("docs/metrics.md")).stream()
                .filter(line -> line.matches("\\| `[a-z-]+` \\| (did not pass|passed).*"))
                .map(line -> line.split("`", -1)[1])
                .collect(Collectors.toSet());
        assertThat(registry.find("sluice.decisions").counters())
                .extracting(counter -> counter.getId().getTag("outcome"))
                .containsExactlyInAnyOrderElementsOf(listed)
                .hasSize(6);
        assertThat(Path.of("docs/metrics.md")).content().contains("six series for each tier");
    }

    @Test
    void hasNoMoreSeriesForManyCallersThanForOne() {
        call(1, "/hard", "acme");
        int series = registry.getMeters().size();
        for (int i = 0; i < 10_000; i++) {
            call(1, "/hard", "made-up-" + i);
            call(1, "/nowhere/" + i, "acme");
        }
        assertThat(registry.getMeters()).hasSize(series);
        assertThat(counted("hard")).isEqualTo(Map.of("1d admitted", 10_001));
    }
}
