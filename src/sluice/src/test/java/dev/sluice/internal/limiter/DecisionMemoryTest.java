package dev.sluice.internal.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.sluice.Decision;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** The garbage of a decision: the decision itself, and after a refusal the fields that only a refusal has. */
class DecisionMemoryTest {

    private static final int CALLS = 20_000;
    private static final int ROUNDS = 5;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Compared with an admitted call, since the compiler may leave other garbage in both. */
    @Test
    void ofARefusalIsOneSmallObjectMore() {
        assertThat(bytesOfADecision(1) - bytesOfADecision(1_000_000)).isBetween(0L, 48L);
    }

    private long bytesOfADecision(long threshold) {
        TestCall call = TestCall.get("/shop").of("acme");
        try (CountingRateLimiter limiter = new CountingRateLimiter(
                TestLimits.of(TestLimits.endpoint("shop", "GET /shop", TestLimits.perMinute(threshold))),
                new TestClock(0),
                RateLimitListener.NONE)) {
            long least = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < CALLS; i++) {
                    Decision unused = limiter.decide(call);
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            return least / CALLS;
        }
    }
}
