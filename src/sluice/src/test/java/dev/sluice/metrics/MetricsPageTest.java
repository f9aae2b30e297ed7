package dev.sluice.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Block;
import dev.sluice.CounterKey;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.TestCall;
import dev.sluice.traffic.Decided;
import dev.sluice.traffic.Traffic;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code docs/metrics.md} lists exactly the meters that exist. */
@Tag("docs")
class MetricsPageTest {

    private static List<String> rows(String pattern) throws IOException {
        return Files.readAllLines(Path.of("docs/metrics.md")).stream()
                .filter(line -> line.matches(pattern))
                .toList();
    }

    /** The kind of each meter, by name. */
    private static Map<String, String> kinds() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        SluiceMeters meters = new SluiceMeters(registry, 1);
        Traffic traffic = new Traffic(InstantSource.system());
        meters.read(traffic);
        Decision decision = Decided.of(Decided.endpoint("shop"), "acme", Outcome.ADMITTED, 1, 1_000);
        traffic.onDecision(TestCall.get("/shop"), decision);
        meters.onDecision(TestCall.get("/shop"), decision);
        meters.onStoreUnavailable("cause");
        meters.onCounters(1);
        meters.onOutcomesAwaited(1);
        meters.onBlock(new Block(new CounterKey("shop", "*", "1m", List.of(), 0, 0), 0, 1, 1));
        return registry.getMeters().stream()
                .map(Meter::getId)
                .collect(Collectors.toMap(Meter.Id::getName, MetricsPageTest::kind, (first, second) -> first));
    }

    private static String kind(Meter.Id meter) {
        boolean isTime = meter.getType() == Meter.Type.GAUGE && "seconds".equals(meter.getBaseUnit());
        String kind = meter.getType().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return isTime ? "time gauge, seconds" : kind;
    }

    @Test
    void listsAllMetersWithTheirTagsAndKinds() throws IOException {
        Map<String, String> kinds = kinds();
        List<String> declared = Arrays.stream(MeterDefinition.values())
                .map(meter -> "| `" + meter.meterName + "` | " + kinds.get(meter.meterName) + " | "
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
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        new SluiceMeters(registry)
                .onDecision(
                        TestCall.get("/shop"),
                        Decided.of(Decided.endpoint("shop"), "acme", Outcome.ADMITTED, 1, 1_000));
        assertThat(listed).hasSize(8).containsExactlyInAnyOrderElementsOf(outcomes(registry, "sluice.endpoint.calls"));
        assertThat(outcomes(registry, "sluice.decisions"))
                .hasSize(7)
                .isSubsetOf(listed)
                .doesNotContain("other-refused");
    }

    private static List<String> outcomes(SimpleMeterRegistry registry, String meter) {
        return registry.get(meter).counters().stream()
                .map(counter -> counter.getId().getTag("outcome"))
                .toList();
    }
}
