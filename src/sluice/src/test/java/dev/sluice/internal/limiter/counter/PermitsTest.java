package dev.sluice.internal.limiter.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PermitsTest {

    @Test
    void areTakenCompletelyOrNotAtAll() {
        Permits permits = new Permits(5);

        assertThat(take(permits, 3)).isEqualTo(2);
        assertThat(take(permits, 3)).isEqualTo(Pool.TOO_FEW);
        assertThat(take(permits, 2)).isZero();
        assertThat(take(permits, 1)).isEqualTo(Pool.TOO_FEW);
        assertThat(take(permits, 0)).isZero();
    }

    @Test
    void comeBackWhenTheyAreGivenBack() {
        Permits permits = new Permits(5);
        hold(permits, 3);
        permits.release(3);

        assertThat(permits.left()).isEqualTo(5);
        assertThat(permits.hasUndecidedCalls()).isFalse();
    }

    @Test
    void tooFewPermitsWaitForBorrowers() throws Exception {
        Permits permits = new Permits(1);
        hold(permits, 1);
        CompletableFuture<Long> taken = new CompletableFuture<>();
        Thread taker = new Thread(() -> taken.complete(take(permits, 1)), "taker");
        taker.start();
        Eventually.await("the taker spins or gives up", () -> taken.isDone() || cpuMillis(taker) > 20);
        assertThat(taken).isNotDone();
        assertThat(permits.surelyShortOf(1)).isFalse();

        permits.release(1);

        assertThat(taken.get(10, TimeUnit.SECONDS)).isZero();
        taker.join();
    }

    private static long cpuMillis(Thread thread) {
        return TimeUnit.NANOSECONDS.toMillis(ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId()));
    }

    @Test
    void keptPermitsAreGone() {
        Permits permits = new Permits(1);
        hold(permits, 1);
        permits.keep();

        assertThat(take(permits, 1)).isEqualTo(Pool.TOO_FEW);
        assertThat(permits.surelyShortOf(1)).isTrue();
    }

    @Test
    void cannotBeTakenFromAClosedWindow() {
        Permits permits = new Permits(5);
        hold(permits, 2);
        permits.close();
        permits.release(2);

        assertThat(take(permits, 1)).isEqualTo(Pool.CLOSED);
        assertThat(permits.left()).isZero();
        assertThat(permits.drain(9)).isEqualTo(5);
    }

    @Test
    void areNotClosedWhenThereAreNone() {
        Permits none = new Permits(0);

        assertThat(none.isClosed()).isFalse();
        assertThat(none.surelyShortOf(1)).isTrue();
        assertThat(none.surelyShortOf(0)).isFalse();
        assertThat(new Permits(1).surelyShortOf(1)).isFalse();
    }

    @Test
    void areDrainedDownToTheRemainder() {
        Permits permits = new Permits(5);

        assertThat(permits.drain(9, 3)).isEqualTo(2);
        assertThat(permits.drain(9, 4)).isZero();
        assertThat(permits.left()).isEqualTo(3);
    }

    @Test
    void canBeAddedAndDrained() {
        Permits permits = new Permits(0);
        permits.add(9);

        assertThat(permits.drain(4)).isEqualTo(4);
        assertThat(permits.drain(9)).isEqualTo(5);
        assertThat(permits.drain(9)).isZero();
    }

    @Test
    void largeNumbersDoNotTouchTheFlags() {
        Permits permits = new Permits(1_000_000_000_000L);
        hold(permits, 1_000_000_000_000L);

        assertThat(permits.hasUndecidedCalls()).isTrue();
        permits.release(1_000_000_000_000L);
        assertThat(permits.left()).isEqualTo(1_000_000_000_000L);
    }

    private static long take(Permits permits, long cost) {
        return permits.take(cost, 0, 0);
    }

    private static long hold(Permits permits, long cost) {
        return permits.take(cost, 0, 1);
    }
}
