package dev.sluice.limiter.balance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PollBackoffTest {

    private final PollBackoff backoff = new PollBackoff(1_000);

    /** The pauses between claims, if every answer is that the limit is used up. */
    private List<Long> pauses(int questions) {
        List<Long> pauses = new ArrayList<>();
        long asked = 0;
        backoff.answered(true, 0);
        for (long now = 0; pauses.size() < questions; now += 100) {
            if (backoff.isTime(now)) {
                pauses.add(now - asked);
                asked = now;
                backoff.answered(true, now);
            }
        }
        return pauses;
    }

    @Test
    void asksMoreAndMoreSeldom() {
        assertThat(pauses(4)).containsExactly(2_000L, 8_000L, 16_000L, 16_000L);
    }

    @Test
    void beginsAnewOnceSomethingIsLeft() {
        pauses(3);
        backoff.answered(false, 100_000);
        assertThat(backoff.isTime(101_900)).isFalse();
        assertThat(backoff.isTime(102_000)).isTrue();
    }

    @Test
    void isAskedOnceWhileTheAnswerIsUnderWay() {
        backoff.answered(true, 0);
        assertThat(backoff.isTime(2_000)).isTrue();
        assertThat(backoff.isTime(2_100)).isFalse();
        backoff.answered(true, 2_200);
        assertThat(backoff.isTime(10_100)).isFalse();
        assertThat(backoff.isTime(10_200)).isTrue();
    }
}
