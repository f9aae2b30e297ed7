package dev.sluice.internal.traffic.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.internal.traffic.sketch.Tally.Kind;
import dev.sluice.traffic.Decided;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

class TalliesTest {

    private static final int TURNS = 400_000;
    /** More threads than processors: the test is about threads that are suspended anywhere. */
    private static final int THREADS = 12;

    private static final List<String> CALLERS = List.of("a", "b", "c");

    private static long fingerprint(int caller) {
        return (caller + 1L) << 20;
    }

    /** One after another, each on its own thread. */
    private static void countOnThreads(int threads, IntConsumer count) throws InterruptedException {
        for (int i = 0; i < threads; i++) {
            int number = i;
            Thread thread = new Thread(() -> count.accept(number));
            thread.start();
            thread.join();
        }
    }

    @Test
    void callsOfAllThreadsAreAddedUp() throws InterruptedException {
        Tallies tallies = new Tallies(1, 10);
        tallies.begin(0, fingerprint(0), "a", List.of(), 2);
        countOnThreads(8, i -> {
            Decision decision = Decided.of(Decided.endpoint("a"), "acme", Outcome.REFUSED, 7 - i, 1);
            assertThat(tallies.count(0, fingerprint(0), Kind.REFUSED, decision, 1_000L * (i + 1)))
                    .isTrue();
        });
        Tally tally = tallies.tally(0);
        assertThat(tally.refused()).isEqualTo(8);
        assertThat(tallies.estimate(0)).isEqualTo(10);
        assertThat(tally.remaining()).isZero();
        assertThat(tally.latestMillis()).isEqualTo(8_000);
        assertThat(tally.seconds())
                .extracting(Tally.Second::millis)
                .containsExactly(8_000L, 7_000L, 6_000L, 5_000L, 4_000L, 3_000L, 2_000L, 1_000L);
    }

    /**
     * Of several calls at the same time, the one with the fewest permits left is reported, whichever thread made it.
     */
    @Test
    void theTallyShowsTheStateAfterTheLastCall() throws InterruptedException {
        for (int last = 0; last < 8; last++) {
            Tallies tallies = new Tallies(1, 0);
            tallies.begin(0, fingerprint(0), "a", List.of(), 0);
            int only = last;
            countOnThreads(8, i -> {
                if (i == only) {
                    Decision decision = Decided.of(Decided.endpoint("a"), "acme", Outcome.ADMITTED, 9, 1);
                    assertThat(tallies.count(0, fingerprint(0), Kind.ALLOWED, decision, 0))
                            .isTrue();
                }
            });
            assertThat(tallies.tally(0).tier()).isNotNull();
            assertThat(tallies.tally(0).remaining()).isEqualTo(9);
            countOnThreads(8, i -> {
                Decision decision = Decided.of(Decided.endpoint("a"), "acme", Outcome.ADMITTED, 8 - i, 1);
                assertThat(tallies.count(0, fingerprint(0), Kind.ALLOWED, decision, 0))
                        .isTrue();
            });
            assertThat(tallies.tally(0).remaining()).isEqualTo(1);
        }
    }

    @Test
    void aSlotThatEndsKeepsNothingForTheNextCaller() throws InterruptedException {
        Tallies tallies = new Tallies(1, 10);
        EndpointSums sums = new EndpointSums();
        tallies.begin(0, fingerprint(0), "a", List.of(), 0);
        Decision decision = Decided.of(Decided.endpoint("a"), "acme", Outcome.REFUSED, 0, 1);
        countOnThreads(
                8,
                i -> assertThat(tallies.count(0, fingerprint(0), Kind.REFUSED, decision, 5_000))
                        .isTrue());
        assertThat(tallies.end(0, sums)).isEqualTo(8);
        assertThat(sums.sums().get("a")[Kind.REFUSED.at]).isEqualTo(8);
        countOnThreads(
                8,
                i -> assertThat(tallies.count(0, fingerprint(0), Kind.REFUSED, decision, 5_000))
                        .isFalse());
        tallies.begin(0, fingerprint(1), "b", List.of(), 0);
        Tally next = tallies.tally(0);
        assertThat(next.refused()).isZero();
        assertThat(next.tier()).isNull();
        assertThat(next.latestMillis()).isZero();
        assertThat(next.seconds()).isEmpty();
    }

    /** Three callers take turns in one slot, while several threads keep counting for each. */
    @Test
    void aCallIsNeverCountedForAnotherCaller() throws InterruptedException {
        Tallies tallies = new Tallies(1, 0);
        EndpointSums sums = new EndpointSums();
        AtomicLongArray counted = new AtomicLongArray(CALLERS.size());
        AtomicBoolean isOver = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int caller = i % CALLERS.size();
            Decision decision = Decided.of(Decided.endpoint(CALLERS.get(caller)), "acme", Outcome.ADMITTED, 1, 1);
            threads.add(new Thread(() -> {
                while (!isOver.get()) {
                    if (tallies.count(0, fingerprint(caller), Kind.ALLOWED, decision, 1)) {
                        counted.incrementAndGet(caller);
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        for (int turn = 0; turn < TURNS; turn++) {
            int caller = turn % CALLERS.size();
            tallies.begin(0, fingerprint(caller), CALLERS.get(caller), List.of(), 0);
            assertThat(tallies.end(0, sums)).isNotNegative();
        }
        isOver.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        for (int caller = 0; caller < CALLERS.size(); caller++) {
            assertThat(sums.sums().get(CALLERS.get(caller))[Kind.ALLOWED.at]).isEqualTo(counted.get(caller));
        }
        assertThat(tallies.estimate(0)).isZero();
    }
}
