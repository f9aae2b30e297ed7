package dev.sluice.limiter;

import static dev.sluice.TestLimits.perMinute;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TurnTest {

    private static final Instant NOW = Instant.ofEpochMilli(1_627_318_780_000L);

    private static WindowCounter counter(int number, int threshold) {
        CounterFamily family = new CounterFamily(
                new CounterFamily.Identity("e" + number, "GET", perMinute(threshold), List.of(), List.of()));
        return WindowCounter.open(family, List.of(), number, Sharing.alone(() -> NOW));
    }

    private static Permits permits(WindowCounter counter) {
        Window window = counter.at(NOW.toEpochMilli());
        assertThat(window).isNotNull();
        return window.permits;
    }

    @Test
    @Timeout(10)
    void nobodyIsRefusedByAPermitThatIsGivenBack() throws Exception {
        WindowCounter wide = counter(1, 1);
        WindowCounter narrow = counter(2, 1);
        permits(narrow).hold(1);
        CompletableFuture<Turn.Outcome> undecided = CompletableFuture.supplyAsync(
                () -> new Turn(List.of(narrow, wide), NOW.toEpochMilli(), 1, List.of()).take());
        while (!permits(wide).unsettled() && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
        CompletableFuture<Long> other =
                CompletableFuture.supplyAsync(() -> permits(wide).take(1));

        permits(narrow).keep();

        assertThat(undecided.get(10, TimeUnit.SECONDS)).isEqualTo(Turn.Outcome.REFUSED);
        assertThat(other.get(10, TimeUnit.SECONDS)).isZero();
    }

    @Test
    @Timeout(10)
    void asksForRetiredCountersToBeLookedUpAgain() {
        WindowCounter one = counter(1, 1);
        WindowCounter other = counter(2, 1);
        Turn begun = new Turn(List.of(one, other), NOW.toEpochMilli(), 1, List.of());
        other.retire();

        assertThat(begun.take()).isEqualTo(Turn.Outcome.RETIRED);
        assertThat(new Turn(List.of(one, other), NOW.toEpochMilli(), 1, List.of()).take())
                .isEqualTo(Turn.Outcome.RETIRED);
        assertThat(permits(one).left()).isEqualTo(1);
        assertThat(permits(one).unsettled()).isFalse();
    }
}
