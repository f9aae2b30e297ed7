package dev.sluice.internal.limiter.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class RoundsTest {

    private static final long MILLI = 1_000_000;

    /** What the client's thread has yet to run. */
    private final List<Runnable> tasks = new ArrayList<>();

    private boolean isClientStalled;
    private int woken;
    private long now = Long.MAX_VALUE - 50 * MILLI; // a monotonic clock begins anywhere, and overflows

    private final Rounds rounds = new Rounds(
            new CounterStore() {
                @Override
                public CompletionStage<Batch.Reply> exchange(Batch batch) {
                    return new CompletableFuture<>();
                }

                @Override
                public void behindAnswers(Runnable task) {
                    tasks.add(task);
                }

                @Override
                public void close() {}
            },
            () -> woken++);

    private void step() {
        rounds.look(now);
        rounds.goOn(true, now);
    }

    /** Something is awaited for so long, and all threads have their rounds. */
    private void pass(long millis) {
        for (long i = 0; i < millis; i++) {
            now += MILLI;
            if (!isClientStalled) {
                List.copyOf(tasks).forEach(Runnable::run);
                tasks.clear();
            }
            step();
        }
    }

    /** How much time has passed since then in which the store could have been heard. */
    private boolean hasPassed(long millis, long sinceNanos) {
        return rounds.beforeForStore(millis * MILLI) - sinceNanos >= 0;
    }

    @Test
    void withoutStallsAllTimeCounts() {
        step();
        long since = now;
        pass(240);
        assertThat(hasPassed(250, since)).isFalse();
        pass(22);
        assertThat(hasPassed(250, since)).isTrue();
    }

    @Test
    void aStalledReaderThreadStopsTime() {
        step();
        long since = now;
        pass(100);
        isClientStalled = true;
        pass(400);
        assertThat(hasPassed(101, since)).isFalse();
        isClientStalled = false;
        pass(140);
        assertThat(hasPassed(250, since)).isFalse();
        pass(44);
        assertThat(hasPassed(250, since)).isTrue();
    }

    @Test
    void aStalledBackgroundStopsTime() {
        step();
        long since = now;
        pass(240);
        now += 500 * MILLI;
        step();
        assertThat(hasPassed(250, since))
                .as("before the client has had its turn")
                .isFalse();
        pass(5);
        assertThat(hasPassed(250, since)).as("after it was late").isFalse();
        pass(40);
        assertThat(hasPassed(250, since)).isTrue();
    }

    @Test
    void aProcessWithHalfACpuLosesNoTime() {
        step();
        long since = now;
        for (int i = 0; i < 4; i++) {
            pass(50);
            now += 50 * MILLI;
        }
        assertThat(hasPassed(201, since)).isFalse();
        for (int i = 0; i < 4; i++) {
            pass(50);
            now += 50 * MILLI;
        }
        assertThat(hasPassed(250, since)).isTrue();
    }

    @Test
    void timeOfTheStoreDoesNotCountForOthers() {
        step();
        long since = now;
        pass(100);
        long late = now;
        pass(200);
        rounds.stalledByStore(late, now);
        assertThat(hasPassed(280, since)).isTrue();
        assertThat(rounds.beforeForOthers(110 * MILLI) - since).isNegative();
        pass(40);
        assertThat(rounds.beforeForOthers(110 * MILLI) - since).isPositive();
    }

    @Test
    void aStallWithinTheStoresSilenceCountsOnce() {
        step();
        long since = now;
        pass(50);
        long late = now;
        now += 100 * MILLI;
        pass(100);
        rounds.stalledByStore(late, now);
        pass(60);
        assertThat(rounds.beforeForOthers(90 * MILLI) - since).isPositive();
        assertThat(rounds.beforeForOthers(120 * MILLI) - since).isNegative();
    }

    /** As long as answers come quickly, nobody is asked for a turn. */
    @Test
    void noRoundsWhileNothingIsAwaited() {
        step();
        pass(9);
        assertThat(tasks).isEmpty();
        rounds.goOn(false, now);
        assertThat(rounds.nextNanos()).isEqualTo(Long.MAX_VALUE);
        now += 1_000 * MILLI;
        rounds.goOn(false, now);
        assertThat(tasks).isEmpty();
        rounds.goOn(true, now);
        assertThat(tasks).isEmpty();
        assertThat(rounds.nextNanos()).isEqualTo(now + 10 * MILLI);
        pass(11);
        assertThat(woken).isEqualTo(1);
    }

    @Test
    void timeWithoutWaitsIsNotStalled() {
        step();
        pass(20);
        rounds.goOn(false, now);
        now += 5_000 * MILLI;
        step();
        long since = now;
        pass(262);
        assertThat(hasPassed(250, since)).isTrue();
    }
}
