package dev.sluice.internal.limiter.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StoreClockTest {

    private static final long NOW = 1_627_318_780_000L;
    private static final long MILLI = 1_000_000;

    private final TestClock machine = new TestClock(NOW);
    private long nanos = Long.MAX_VALUE - 3; // a monotonic clock begins anywhere, and overflows
    private final StoreClock clock = new StoreClock(machine, () -> nanos, () -> nanos);

    /** An answer arrives now. */
    private void measured(long storeMillis, double roundTripMillis) {
        clock.measured(storeMillis, nanos - (long) (roundTripMillis * MILLI), nanos);
    }

    private void pass(long millis) {
        nanos += millis * MILLI;
        machine.advance(Duration.ofMillis(millis));
    }

    @Test
    void showsTheMachinesTimeBeforeTheFirstAnswer() {
        assertThat(clock.millis()).isEqualTo(NOW);
        pass(20);
        assertThat(clock.millis()).isEqualTo(NOW + 20);
    }

    @Test
    void showsTheStoresTimeAfterTheFirstAnswer() {
        measured(NOW + 30_000, 2);

        assertThat(clock.millis()).isEqualTo(NOW + 30_001);
        pass(5_000);
        assertThat(clock.millis()).isEqualTo(NOW + 35_001);
    }

    @Test
    void runsSteadilyWhenTheMachinesClockIsSet() {
        machine.advance(Duration.ofHours(-5));
        assertThat(clock.millis()).isEqualTo(NOW);
        assertThat(clock.isDoubtful()).isTrue();
        pass(2);
        measured(NOW + 30_000, 2);
        for (long step : new long[] {3_600_000, -7_200_000, 300, -300}) {
            machine.advance(Duration.ofMillis(step));
            assertThat(clock.millis()).isEqualTo(NOW + 30_001);
        }
        pass(10_000);
        assertThat(clock.millis()).isEqualTo(NOW + 40_001);
    }

    @Test
    void trustsAFasterExchangeAtOnce() {
        measured(NOW + 30_000, 400);
        measured(NOW + 30_000, 2);

        assertThat(clock.millis()).isEqualTo(NOW + 30_001);
    }

    @Test
    void hardlyTrustsASlowExchange() {
        measured(NOW + 30_000, 2);
        for (int i = 0; i < 3; i++) {
            measured(NOW + 30_000, 400);
        }

        assertThat(clock.millis()).isBetween(NOW + 30_000, NOW + 30_003);
    }

    @Test
    void followsADrift() {
        measured(NOW + 30_000, 2);
        for (int i = 0; i < 100; i++) {
            measured(NOW + 30_040, 2.1);
        }

        assertThat(clock.millis()).isBetween(NOW + 30_038, NOW + 30_043);
    }

    @Test
    void followsAJumpAtOnceEitherWay() {
        measured(NOW + 30_000, 2);
        measured(NOW - 60_000, 4);

        assertThat(clock.millis()).isEqualTo(NOW - 59_998);
        measured(NOW, 4);
        assertThat(clock.millis()).isEqualTo(NOW + 2);
    }

    /** The nanoseconds of a machine that sleeps stand still. */
    @Test
    void isDoubtfulOnceTheMachineHasSlept() {
        measured(NOW, 2);
        machine.advance(Duration.ofSeconds(1));
        assertThat(clock.isDoubtful()).isFalse();
        machine.advance(Duration.ofMillis(1));
        assertThat(clock.disagrees()).isTrue();
        assertThat(clock.isDoubtful()).isTrue();
    }

    @Test
    void anExchangeFromBeforeASleepMeasuresNothing() {
        measured(NOW, 2);
        long sent = nanos;
        pass(1);
        machine.advance(Duration.ofHours(1));
        clock.measured(NOW + 1, sent, nanos);
        assertThat(clock.isDoubtful()).isTrue();

        sent = nanos;
        pass(4);
        clock.measured(NOW + 3_600_000, sent, nanos);
        assertThat(clock.isDoubtful()).isFalse();
        assertThat(clock.disagrees()).isFalse();
        assertThat(clock.millis()).isEqualTo(NOW + 3_600_002);
    }

    /** In a rehearsal, a call that waits takes no time of those that come after it. */
    @Test
    void standsStillWhileCallsOfARehearsalWait() {
        StoreClock rehearsed = new StoreClock(machine, () -> nanos, () -> machine.millis() * MILLI);
        rehearsed.measured(NOW, nanos, nanos);
        nanos += 50 * MILLI;
        assertThat(rehearsed.millis()).isEqualTo(NOW);
        pass(7);
        assertThat(rehearsed.millis()).isEqualTo(NOW + 7);
    }
}
