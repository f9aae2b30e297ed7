package dev.sluice.traffic.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.traffic.Decided;
import dev.sluice.traffic.sketch.Tally.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;

class TalliesTest {

    private static final int TURNS = 400_000;
    /** More than a machine has processors: threads that stop anywhere are what this is about. */
    private static final int THREADS = 12;

    private static final List<String> CALLERS = List.of("a", "b", "c");

    private static long fingerprint(int caller) {
        return (caller + 1L) << 20;
    }

    /** Three callers take turns to have one slot, while several threads go on to count for each. */
    @Test
    void aCallIsCountedForItsCallerOrNobody() throws InterruptedException {
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
