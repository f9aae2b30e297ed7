package dev.sluice.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.Subject;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import dev.sluice.traffic.Traffic;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Meters and traffic stay bounded, however many callers there are. By default the test uses fewer than ten million
 * callers, to save time: {@code -Dsluice.callers=10000000}.
 */
class ManyCallersTest {

    private static final int CALLERS = Integer.getInteger("sluice.callers", 400_000);
    private static final TestCall CALL = TestCall.get("/");
    /**
     * What has no client in its name, and five gauges for each client that is among the first by one of three measures.
     */
    private static final int MOST_SERIES = 50 + 5 * 3 * SluiceMeters.CLIENTS;

    private static final Tier TIER = new Tier("10s", new Limit.FixedWindow(100, Duration.ofSeconds(10)));
    private static final Endpoint SHOP =
            new Endpoint("shop", Set.of(), "/", List.of("tenant"), Mode.ENFORCE, List.of(TIER));

    /** All call within ten seconds: older calls are forgotten in any case. */
    private final Traffic traffic = new Traffic(new TestClock(1_000_000));

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final SluiceMeters meters = new SluiceMeters(registry);

    /** Each calls twice, and is refused the second time. */
    private void call(int from, int to) {
        for (int i = from; i < to; i++) {
            List<Subject> who = List.of(new Subject("tenant", "header:X-Org-Id", "tenant-" + i));
            for (Outcome outcome : List.of(Outcome.ADMITTED, Outcome.REFUSED)) {
                Decision decision = new Decision(outcome, SHOP, TIER, who, 7, 5_000, 0, null);
                traffic.onDecision(CALL, decision);
                meters.onDecision(CALL, decision);
            }
            if (i % 20_000 == 0) {
                meters.onCounters(1);
            }
        }
    }

    @Test
    void growNeitherMetersNorTraffic() throws Exception {
        meters.read(traffic);
        call(0, CALLERS / 2);
        assertThat(registry.getMeters()).hasSizeBetween(40, MOST_SERIES);
        int objects = ObjectCount.of(meters);
        call(CALLERS / 2, CALLERS);

        assertThat(registry.getMeters()).hasSizeBetween(40, MOST_SERIES);
        assertThat(objects).as("what was reached at all").isGreaterThan(Traffic.CALLERS);
        assertThat(ObjectCount.of(meters)).isLessThan(objects * 5 / 4);
    }
}
