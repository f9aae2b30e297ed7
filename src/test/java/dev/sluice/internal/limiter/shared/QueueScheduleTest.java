package dev.sluice.internal.limiter.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class QueueScheduleTest {

    private final QueueSchedule schedule = new QueueSchedule();

    @Test
    void aFreeCallLeavesItsTurnToOthers() {
        schedule.putBack(List.of(100L, 200L));

        assertThat(schedule.take(0)).containsExactly(100L);
        assertThat(schedule.take(1)).containsExactly(100L);
        assertThat(schedule.take(2)).containsExactly(200L);
        assertThat(schedule.take(0)).isEmpty();
    }

    @Test
    void dropsTheLastTurns() {
        schedule.putBack(List.of(100L, 200L, 300L));
        schedule.dropLast(2);
        assertThat(schedule.take(3)).containsExactly(100L);
        schedule.putBack(List.of(100L));
        schedule.dropLast(9);
        assertThat(schedule.take(1)).isEmpty();
    }
}
