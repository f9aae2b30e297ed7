package dev.sluice.internal.limiter.shared;

import static java.util.Comparator.comparingLong;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.algorithm.Gcra;
import dev.sluice.internal.limiter.counter.Turn;
import dev.sluice.internal.limiter.rule.SharedBucket;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueScheduleTest {

    private final QueueSchedule schedule = new QueueSchedule();

    @Test
    void aFreeCallLeavesItsTurnToOthers() {
        schedule.putBack(List.of(new Turn(100, 1), new Turn(200, 1)));

        assertThat(schedule.take(0)).containsExactly(new Turn(100, 0));
        assertThat(schedule.take(1)).containsExactly(new Turn(100, 1));
        assertThat(schedule.take(2)).containsExactly(new Turn(200, 1));
        assertThat(schedule.take(0)).isEmpty();
    }

    @Test
    void dropsTheLastTurns() {
        schedule.putBack(List.of(new Turn(100, 2), new Turn(200, 1), new Turn(300, 3)));
        schedule.dropLast(5);
        assertThat(schedule.take(3)).containsExactly(new Turn(100, 1));
        schedule.putBack(List.of(new Turn(100, 1)));
        schedule.dropLast(9);
        assertThat(schedule.take(1)).isEmpty();
    }

    @Test
    void givesACallPartsOfTurns() {
        schedule.putBack(List.of(new Turn(100, 2), new Turn(200, 3)));
        assertThat(schedule.take(1)).containsExactly(new Turn(100, 1));
        List<Turn> remaining = schedule.take(3);
        assertThat(remaining).containsExactly(new Turn(100, 1), new Turn(200, 2));
        schedule.putBack(remaining);
        assertThat(schedule.take(9)).containsExactly(new Turn(100, 1), new Turn(200, 2), new Turn(200, 1));
    }

    /** Ten million bytes a second, and one call of fifty million. */
    @Test
    void needsOneTurnAMillisecondHoweverManyPermitsACallCosts() {
        Gcra bytes = Gcra.of(10_000_000, 1_000, 50_000_000);
        long now = 1_627_318_800_000L;
        long arrival = bytes.charge(Gcra.FULL, 50_000_000, now);
        schedule.add(50_000_000, new SharedBucket.Usage(bytes, arrival), now);
        List<Turn> turns = schedule.take(50_000_000);
        assertThat(turns).hasSizeBetween(4_990, 5_010).isSortedAccordingTo(comparingLong(Turn::atMillis));
        assertThat(turns.stream().mapToLong(Turn::permits).sum()).isEqualTo(50_000_000);
        assertThat(turns.get(0).atMillis()).isEqualTo(now);
        assertThat(turns.get(2_500).atMillis()).isBetween(now + 2_490, now + 2_510);
    }
}
