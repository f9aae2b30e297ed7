package dev.sluice.internal.limiter.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.limiter.simulation.OutageScene.Habit;
import dev.sluice.internal.limiter.simulation.OutageScene.Result;
import dev.sluice.internal.limiter.simulation.OutageScene.Spread;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The window in which the store becomes unavailable: instances whose last answers are of different ages divide what was
 * left. {@link FleetSimulationTable} prints the same of more scenes ({@code outages}).
 */
class OutageBeginsTest {

    private static final int SEEDS = 4;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static Spread over(Result[] results) {
        return Spread.of(results, Result::over);
    }

    private static Spread lost(Result[] results) {
        return Spread.of(results, Result::lost);
    }

    /** Without the estimate of what others have taken since, up to 24 % more than the limit passed. */
    @ParameterizedTest
    @CsvSource({"60, 0.2", "60, 0.5", "100, 0.5", "200, 0.2", "200, 0.8"})
    void evenlySpreadCallersExceedABusyLimitByAtMostATenth(double pace, double used) {
        OutageScene scene = OutageScene.of(10, 300, MINUTE, pace, used, Habit.EVEN);
        Result[] results = scene.play(SEEDS);
        assertThat(over(results).most()).isLessThanOrEqualTo(0.10);
        assertThat(lost(results).median()).as("the parts of what was left").isLessThanOrEqualTo(0.05);
        assertThat(over(scene.withoutSlack().play(SEEDS / 2)).most()).isLessThanOrEqualTo(0.12);
    }

    /** With fewer instances, too: they get nearly the whole, and hardly more. */
    @ParameterizedTest
    @CsvSource({"2, 60, 0.5", "2, 200, 0.2", "3, 10, 0.2", "3, 60, 0.5", "3, 200, 0.5", "10, 10, 0.5"})
    void evenlySpreadCallersGetNearlyTheWhole(int instances, double pace, double used) {
        Result[] results =
                OutageScene.of(instances, 300, MINUTE, pace, used, Habit.EVEN).play(SEEDS);
        assertThat(over(results).most()).isLessThanOrEqualTo(0.05);
        assertThat(lost(results).median()).isLessThanOrEqualTo(0.05);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 10})
    void nothingOfASmallLimitIsLost(int instances) {
        for (Habit habit : Habit.values()) {
            Result[] results = OutageScene.of(instances, 5, Duration.ofHours(1), 0.2, 0.5, habit)
                    .play(SEEDS);
            assertThat(lost(results).most()).as(habit.name()).isZero();
        }
    }

    /** The others know nothing of what this caller has used: each has its part of the whole limit. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 10})
    void aCallerWhoMovesGetsAtMostThePartsOfTheOtherInstances(int instances) {
        Result[] results =
                OutageScene.of(instances, 300, MINUTE, 60, 0.95, Habit.MOVES).play(SEEDS);
        double parts = (instances - 1.0) / instances;
        assertThat(over(results).most()).isBetween(0.85 * parts, parts);
    }

    /** A second before, callers came more slowly, or not at all: shares that were returned count as used for a moment. */
    @Test
    void callersWhoPauseNeverGetMore() {
        Result[] results =
                OutageScene.of(10, 300, MINUTE, 60, 0.5, Habit.PAUSES).play(SEEDS);
        assertThat(over(results).most()).isZero();
    }
}
