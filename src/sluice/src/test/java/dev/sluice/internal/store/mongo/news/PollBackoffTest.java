package dev.sluice.internal.store.mongo.news;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PollBackoffTest {

    private static final long START = 1_000_000_000_000L;

    private final PollBackoff backoff = new PollBackoff(START);

    private List<Long> next(int number, long nowNanos) {
        return IntStream.range(0, number)
                .mapToObj(i -> backoff.next(nowNanos).toMillis())
                .toList();
    }

    @Test
    void asksSeldomWhereNothingIsHeldOrWaitedFor() {
        assertThat(next(2, START)).containsExactly(500L, 500L);
    }

    @Test
    void asksOftenForTwoSecondsWhereOthersMayWantWhatIsHeld() {
        assertThat(backoff.holds(START)).isTrue();
        assertThat(backoff.holds(START + 1)).as("it did before").isFalse();

        assertThat(next(2, START + Duration.ofMillis(1_999).toNanos())).containsExactly(10L, 10L);
        assertThat(next(1, START + Duration.ofMillis(2_001).toNanos())).containsExactly(500L);
    }

    @Test
    void asksAtOnceWhereCallsWaitAndThenLessAndLess() {
        backoff.expects(START);
        assertThat(next(5, START)).containsExactly(1L, 2L, 5L, 10L, 10L);

        backoff.expects(START + 1);
        assertThat(next(1, START + 1)).containsExactly(1L);
    }
}
