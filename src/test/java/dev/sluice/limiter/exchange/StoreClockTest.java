package dev.sluice.limiter.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StoreClockTest {

    private static final long NOW = 1_627_318_780_000L;

    private final TestClock machine = new TestClock(NOW);
    private final StoreClock clock = new StoreClock(machine, System::nanoTime);

    @Test
    void isTheMachinesUntilTheStoreIsHeard() {
        assertThat(clock.millis()).isEqualTo(NOW);
    }

    @Test
    void isTheStoresFromTheFirstReading() {
        clock.measured(NOW + 30_000, 2);

        assertThat(clock.millis()).isEqualTo(NOW + 30_001);
        machine.advance(Duration.ofSeconds(5));
        assertThat(clock.millis()).isEqualTo(NOW + 35_001);
    }

    @Test
    void believesAQuickerExchangeAtOnce() {
        clock.measured(NOW + 30_000, 400);
        clock.measured(NOW + 30_000, 2);

        assertThat(clock.millis()).isEqualTo(NOW + 30_001);
    }

    @Test
    void hardlyBelievesASlowOne() {
        clock.measured(NOW + 30_000, 2);
        for (int i = 0; i < 3; i++) {
            clock.measured(NOW + 30_000, 400);
        }

        assertThat(clock.millis()).isBetween(NOW + 30_000, NOW + 30_003);
    }

    @Test
    void followsADriftInTheLongRun() {
        clock.measured(NOW + 30_000, 2);
        for (int i = 0; i < 100; i++) {
            clock.measured(NOW + 30_040, 2.1);
        }

        assertThat(clock.millis()).isBetween(NOW + 30_038, NOW + 30_043);
    }

    @Test
    void followsAJumpAtOnceEitherWay() {
        clock.measured(NOW + 30_000, 2);
        clock.measured(NOW - 60_000, 4);

        assertThat(clock.millis()).isEqualTo(NOW - 59_998);
        clock.measured(NOW, 4);
        assertThat(clock.millis()).isEqualTo(NOW + 2);
    }
}
