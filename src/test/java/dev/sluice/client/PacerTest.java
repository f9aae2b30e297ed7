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

    @Test
    void nothingWaitsUntilHalfOfALimitIsUsed() {
        learn(100, 51, 10);
        assertThat(pacer.nanosUntilTurn(NOW)).isZero();
        assertThat(pacer.nanosUntilTurn(NOW)).isZero();
    }

    @Test
    void theRestIsSpreadOverTheTimeThatIsLeft() {
        learn(100, 50, 10);
        assertThat(pacer.nanosUntilTurn(NOW)).isZero();
        assertThat(pacer.nanosUntilTurn(NOW)).isEqualTo(SECOND / 5);
        assertThat(pacer.nanosUntilTurn(NOW)).isEqualTo(2 * SECOND / 5);
        assertThat(pacer.nanosUntilTurn(NOW + SECOND))
                .as("a turn that nobody took is gone")
                .isZero();
        assertThat(pacer.nanosUntilTurn(NOW + SECOND)).isEqualTo(SECOND / 5);
    }

    @Test
    void nothingIsSentWhileNothingIsLeft() {
        learn(100, 0, 10);
        assertThat(pacer.nanosUntilTurn(NOW)).isBetween(10 * SECOND, 11 * SECOND);
        assertThat(pacer.nanosUntilTurn(NOW + 12 * SECOND)).isZero();
    }

    @Test
    void anAnswerWithoutQuotasChangesNothing() {
        learn(100, 50, 10);
        pacer.learn(RateLimitHeaders.NONE, NOW);
        assertThat(pacer.nanosUntilTurn(NOW)).isZero();
        assertThat(pacer.nanosUntilTurn(NOW)).isPositive();
    }

    @Test
    void aResetInAThousandYearsIsNoOverflow() {
        learn(0, 1, 999_999_999_999_999L);
        assertThat(pacer.nanosUntilTurn(NOW)).isZero();
        assertThat(pacer.nanosUntilTurn(NOW)).isEqualTo(86_400 * SECOND);
    }
}
