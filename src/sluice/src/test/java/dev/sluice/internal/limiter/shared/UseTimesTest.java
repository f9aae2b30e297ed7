package dev.sluice.internal.limiter.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.exchange.Batch.Use;
import dev.sluice.internal.limiter.shared.UseTimes.Calls;
import java.util.List;
import org.junit.jupiter.api.Test;

class UseTimesTest {

    private final UseTimes times = new UseTimes();

    @Test
    void keepsTimesOldestFirst() {
        times.add(2, 1_000);
        times.add(1, 1_000);
        times.add(4, 1_300);
        assertThat(times.drain()).containsExactly(new Calls(1_000, 3), new Calls(1_300, 4));
        assertThat(times.drain()).isEmpty();
    }

    @Test
    void aCallThatIsLateCountsAsMadeWithTheLast() {
        times.add(1, 1_300);
        times.add(1, 1_000);
        assertThat(times.drain()).containsExactly(new Calls(1_300, 2));
    }

    @Test
    void returnsAreNegative() {
        times.add(3, 1_000);
        times.add(-2, 1_100);
        assertThat(times.drain()).containsExactly(new Calls(1_000, 3), new Calls(1_100, -2));
    }

    @Test
    void tooManyEntriesMergeTheEarliestAtTheLaterTime() {
        for (int i = 0; i < 66; i++) {
            times.add(1, 1_000 + i);
        }
        List<Calls> calls = times.drain();
        assertThat(calls).hasSize(64);
        assertThat(calls.get(0)).isEqualTo(new Calls(1_002, 3));
        assertThat(calls.stream().mapToLong(Calls::number).sum()).isEqualTo(66);
    }

    @Test
    void callsDoNotMergeWithReturns() {
        for (int i = 0; i < 63; i++) {
            times.add(i % 2 == 0 ? 1 : -1, 1_000 + i);
        }
        times.add(1, 1_063);
        times.add(1, 1_064);
        List<Calls> calls = times.drain();
        assertThat(calls).hasSize(64).startsWith(new Calls(1_000, 1), new Calls(1_001, -1));
        assertThat(calls.subList(62, 64)).containsExactly(new Calls(1_063, 2), new Calls(1_064, 1));
    }

    @Test
    void aReturnOfTheLastCallReducesItsEntry() {
        times.add(3, 1_000);
        times.add(-2, 1_000);
        times.add(-1, 900);
        assertThat(times.drain()).containsExactly(new Calls(1_000, 1), new Calls(900, -1));
    }

    @Test
    void alternatingCallsAndReturnsMergeAtTheEnd() {
        for (int i = 0; i < 65; i++) {
            times.add(i % 2 == 0 ? 1 : -1, 1_000 + i);
        }
        List<Calls> calls = times.drain();
        assertThat(calls).hasSize(64).startsWith(new Calls(1_000, 1), new Calls(1_001, -1));
        assertThat(calls.get(63)).isEqualTo(new Calls(1_064, 0));
    }

    @Test
    void earliestEntriesMergeWithAnEmptiedOne() {
        times.add(1, 999);
        times.add(1, 1_000);
        times.add(-1, 1_000);
        for (int i = 1; i < 64; i++) {
            times.add(1, 1_000 + i);
        }
        assertThat(times.drain()).hasSize(64).startsWith(new Calls(1_000, 1), new Calls(1_001, 1));
    }

    @Test
    void areStatedAsTheTimeSince() {
        assertThat(new Calls(1_000, 2).asUse(1_300)).isEqualTo(new Use(300, 2));
        assertThat(new Calls(1_000, 2).asUse(900)).isEqualTo(new Use(0, 2));
    }
}
