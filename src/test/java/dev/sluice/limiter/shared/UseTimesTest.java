package dev.sluice.limiter.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Batch.Use;
import java.util.List;
import org.junit.jupiter.api.Test;

class UseTimesTest {

    private final UseTimes times = new UseTimes();

    @Test
    void tellsHowLongAgoCallsWereMadeTheOldestFirst() {
        times.add(2, 1_000);
        times.add(1, 1_000);
        times.add(4, 1_300);
        assertThat(times.drain(1_500)).containsExactly(new Use(500, 3), new Use(200, 4));
        assertThat(times.drain(1_500)).isEmpty();
    }

    @Test
    void aCallThatIsLateCountsAsMadeWithTheLast() {
        times.add(1, 1_300);
        times.add(1, 1_000);
        assertThat(times.drain(1_500)).containsExactly(new Use(200, 2));
    }

    @Test
    void whatIsGivenBackCountsBelowZero() {
        times.add(3, 1_000);
        times.add(-2, 1_100);
        assertThat(times.drain(1_100)).containsExactly(new Use(100, 3), new Use(0, -2));
    }

    @Test
    void theEarliestOfTooManyAreTakenTogetherAtTheLaterTime() {
        for (int i = 0; i < 66; i++) {
            times.add(1, 1_000 + i);
        }
        List<Use> uses = times.drain(1_065);
        assertThat(uses).hasSize(64);
        assertThat(uses.get(0)).isEqualTo(new Use(63, 3));
        assertThat(uses.stream().mapToLong(Use::count).sum()).isEqualTo(66);
    }
}
