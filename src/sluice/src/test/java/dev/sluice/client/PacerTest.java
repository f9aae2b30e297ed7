package dev.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.client.RateLimitHeaders.Quota;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PacerTest {

    private static final long SECOND = 1_000_000_000L;
    /** Such clocks may begin anywhere. */
    private static final long NOW = Math.subtractExact(Long.MAX_VALUE, 5 * SECOND);

    private final Pacer pacer = new Pacer(new Random(1), NOW);

    private void learn(long limit, long remaining, long resetSeconds) {
        Quota quota = new Quota(limit, remaining, Duration.ofSeconds(resetSeconds));
        pacer.learn(new RateLimitHeaders(null, List.of(quota)), NOW);
    }

    private long turn(long nowNanos) {
        return pacer.nanosUntilTurn(nowNanos, Long.MAX_VALUE);
    }

    @Test
    void nothingWaitsUntilHalfOfALimitIsUsed() {
        learn(100, 51, 10);
        assertThat(turn(NOW)).isZero();
        assertThat(turn(NOW)).isZero();
    }

    @Test
    void remainingCallsAreSpreadOverTheTimeUntilTheReset() {
        learn(100, 50, 10);
        assertThat(turn(NOW)).isZero();
        assertThat(turn(NOW)).isEqualTo(SECOND / 5);
        assertThat(turn(NOW)).isEqualTo(2 * SECOND / 5);
        assertThat(turn(NOW + SECOND)).as("a turn that nobody took is gone").isZero();
        assertThat(turn(NOW + SECOND)).isEqualTo(SECOND / 5);
    }

    @Test
    void noCallIsSentWhileNothingIsLeft() {
        learn(100, 0, 10);
        assertThat(turn(NOW)).isBetween(10 * SECOND, 11 * SECOND);
        assertThat(turn(NOW + 12 * SECOND)).isZero();
    }

    @Test
    void aRefusalWithoutQuotasHoldsAllCallsBack() {
        pacer.learn(new RateLimitHeaders(Duration.ofSeconds(10), List.of()), NOW);
        assertThat(turn(NOW)).isBetween(10 * SECOND, 11 * SECOND);
    }

    /** A bucket is full again long after the next call may pass. */
    @Test
    void retryAfterOverridesTheReset() {
        Quota empty = new Quota(100, 0, Duration.ofSeconds(60));
        pacer.learn(new RateLimitHeaders(Duration.ofSeconds(1), List.of(empty)), NOW);
        assertThat(turn(NOW)).isBetween(SECOND, 2 * SECOND);
    }

    @Test
    void aTurnTooFarAwayIsNotTaken() {
        learn(100, 0, 10);
        long first = pacer.nanosUntilTurn(NOW, 60 * SECOND);
        assertThat(pacer.nanosUntilTurn(NOW, 9 * SECOND)).isZero();
        assertThat(turn(NOW)).isEqualTo(first);
    }

    @Test
    void anAnswerWithoutQuotasChangesNothing() {
        learn(100, 50, 10);
        pacer.learn(RateLimitHeaders.NONE, NOW);
        assertThat(turn(NOW)).isZero();
        assertThat(turn(NOW)).isPositive();
    }

    @Test
    void aResetInAThousandYearsDoesNotOverflow() {
        learn(0, 1, 999_999_999_999_999L);
        assertThat(turn(NOW)).isZero();
        assertThat(turn(NOW)).isEqualTo(86_400 * SECOND);
    }
}
