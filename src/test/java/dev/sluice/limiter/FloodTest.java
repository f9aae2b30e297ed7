package dev.sluice.limiter;

import static dev.sluice.TestLimits.atMostCounters;
import static dev.sluice.TestLimits.endpoint;
import static dev.sluice.TestLimits.tier;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Callers who make up a tenant for each call. The property {@code sluice.flood} says how many, a million unless told otherwise. */
class FloodTest {

    private static final int TENANTS = Integer.getInteger("sluice.flood", 1_000_000);
    private static final int COUNTERS = Integer.getInteger("sluice.flood.counters", 20_000);
    private static final int HONEST = 100;
    private static final int THRESHOLD = 10;

    private final CountingRateLimiter limiter = new CountingRateLimiter(
            atMostCounters(COUNTERS, endpoint("shop", "GET /shop", tier(THRESHOLD, Duration.ofDays(1)))),
            new TestClock(0),
            RateLimitListener.NONE);
    private final int[] admitted = new int[HONEST];

    private void honestCall(int tenant) {
        if (limiter.decide(TestCall.get("/shop").of("honest-" + tenant)).admitted()) {
            admitted[tenant]++;
        }
    }

    @Test
    void leavesTheHonestTheirLimitsAndMemoryBounded() {
        for (int i = 0; i < HONEST * (THRESHOLD - 2); i++) {
            honestCall(i % HONEST);
        }
        long heapBefore = usedHeap();
        long start = System.nanoTime();
        for (int i = 0; i < TENANTS; i++) {
            limiter.decide(TestCall.get("/shop").of("made-up-" + i));
        }
        long tookMillis = Duration.ofNanos(System.nanoTime() - start).toMillis();
        long counters = limiter.counters();
        long grownMegabytes = (usedHeap() - heapBefore) >> 20;
        for (int i = 0; i < HONEST * THRESHOLD; i++) {
            honestCall(i % HONEST);
        }
        if (TENANTS > 1_000_000) {
            System.out.println(TENANTS + " made-up tenants in " + tookMillis + " ms; " + counters + " counters kept, "
                    + grownMegabytes + " MB more heap");
        }

        assertThat(admitted).containsOnly(THRESHOLD);
        assertThat(counters).isLessThanOrEqualTo(2L * COUNTERS);
        assertThat(grownMegabytes).isLessThan(2L * COUNTERS / 1000);
        limiter.close();
    }

    /** A tenant's name is as long as its caller likes; what is kept of it is not. */
    @Test
    void leavesMemoryBoundedWhateverTheLengthOfNames() {
        long heapBefore = usedHeap();
        String filling = "x".repeat(8_000);
        for (int i = 0; i < COUNTERS; i++) {
            limiter.decide(TestCall.get("/shop").of(i + filling));
        }
        long grownMegabytes = (usedHeap() - heapBefore) >> 20;
        assertThat(grownMegabytes).isLessThan(2L * COUNTERS / 1000);
        limiter.close();
    }

    private static long usedHeap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
