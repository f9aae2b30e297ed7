package dev.sluice.internal.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.TestClock;
import dev.sluice.internal.limiter.ledger.BatchInFlight;
import dev.sluice.tier.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How much heap a shared counter takes. {@link CounterHeap} says the same of more counters, and of a real store. */
class CounterHeapTest {

    private static final int COUNTERS = 20_000;
    private static final Duration STEP = Duration.ofMillis(100);

    /**
     * In bytes of our own classes: 582, and 146 more of the JDK's for the map, the caller's name and tables. Objects
     * grow in steps of eight bytes, so one field more can be too much.
     */
    private static final long MOST_IN_USE = 586;

    /** 176, and 119 of the JDK's. */
    private static final long MOST_IDLE = 182;

    /** 796: a statement, its key, and the uses to book once it is answered, but no position among idle counters. */
    private static final long MOST_IN_BATCH = 800;

    private static final Limit LIMIT = new Limit.FixedWindow(1_000, CounterHeap.WINDOW);

    private final TestClock clock = new TestClock(0);

    private void pass(VirtualTimeFleet fleet, Duration time) {
        for (long end = clock.millis() + time.toMillis(); clock.millis() < end; ) {
            clock.advance(STEP);
            fleet.step();
        }
    }

    private void callAll(VirtualTimeFleet fleet) {
        for (int i = 0; i < COUNTERS; i++) {
            fleet.decide(0, CounterHeap.call(i));
        }
    }

    @Test
    void isSmallInUseAndSmallerWhenDormant() {
        try (VirtualTimeFleet fleet = new VirtualTimeFleet(
                CounterHeap.limits(COUNTERS, LIMIT), clock, CounterHeap.forgetfulStore(clock), 1)) {
            fleet.decide(0, CounterHeap.call(-1)); // loads all classes
            pass(fleet, Duration.ofSeconds(10));
            fleet.decide(0, CounterHeap.call(-1));
            pass(fleet, Duration.ofSeconds(1));
            CounterHeap before = CounterHeap.now();
            callAll(fleet);
            pass(fleet, Duration.ofSeconds(3)); // all are reported, and none is dormant
            CounterHeap inUse = CounterHeap.now();
            pass(fleet, Duration.ofSeconds(25));
            CounterHeap idle = CounterHeap.now();
            callAll(fleet);
            pass(fleet, Duration.ofSeconds(25));
            CounterHeap idleAgain = CounterHeap.now();

            assertThat(inUse.ownBytesEachSince(before, COUNTERS))
                    .as(inUse.classesSince(before, COUNTERS))
                    .isLessThan(MOST_IN_USE);
            assertThat(idle.ownBytesEachSince(before, COUNTERS))
                    .as(idle.classesSince(before, COUNTERS))
                    .isLessThan(MOST_IDLE);
            assertThat(idleAgain.ownBytesEachSince(before, COUNTERS))
                    .as(idleAgain.classesSince(before, COUNTERS))
                    .isLessThan(MOST_IDLE);
        }
    }

    @Test
    void aStatementInFlightIsSmall() {
        assertThat(CounterHeap.inBatches(
                        COUNTERS / BatchInFlight.LARGEST,
                        (before, counters) -> CounterHeap.now().ownBytesEachSince(before, counters)))
                .isLessThan(MOST_IN_BATCH);
    }
}
