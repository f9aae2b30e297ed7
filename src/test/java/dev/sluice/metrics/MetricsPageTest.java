package dev.sluice.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/metrics.md} lists exactly the meters that exist. */
class MetricsPageTest {

    private static List<String> rows(String pattern) throws IOException {
        return Files.readAllLines(Path.of("docs/metrics.md")).stream()
                .filter(line -> line.matches(pattern))
                .toList();
    }

    @Test
    void listsAllMetersWithTheirTagsAndKinds() throws IOException {
        List<String> declared = Arrays.stream(MeterDefinition.values())
                .map(meter -> "| `" + meter.meterName + "` | " + meter.kind.text + " | "
                        + meter.tags.stream().map(tag -> "`" + tag + "`").collect(Collectors.joining(", ")) + " |")
                .map(row -> row.replace("|  |", "| |"))
                .toList();
        List<String> listed = rows("\\| `sluice\\..*").stream()
                .map(row -> row.substring(0, row.indexOf('|', row.indexOf('|', row.indexOf('|', 1) + 1) + 1) + 1))
                .toList();
        assertThat(listed).containsExactlyElementsOf(declared);
    }

    @Test
    void listsAllOutcomes() throws IOException {
        List<String> listed = rows("\\| `[a-z-]+` \\| (did not pass|passed).*").stream()
                .map(row -> row.split("`", -1)[1])
                .toList();
        assertThat(listed)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Outcome.values())
                        .filter(outcome -> outcome != Outcome.UNLIMITED)
                        .map(outcome -> outcome.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                        .toList());
        assertThat(Files.readString(Path.of("docs/metrics.md"))).contains("six series for each tier");
    }
}
