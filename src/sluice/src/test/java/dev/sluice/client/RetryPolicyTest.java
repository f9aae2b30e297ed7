package dev.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryPolicyTest {

    private static final RetryPolicy POLICY = RetryPolicy.DEFAULT;

    private final Random random = new Random(1);

    private static RateLimitHeaders told(long seconds) {
        return new RateLimitHeaders(Duration.ofSeconds(seconds), List.of());
    }

    private Optional<Duration> pause(RetryPolicy policy, RateLimitHeaders told, int attempted, long spentSeconds) {
        return policy.pause("GET", 429, told, attempted, Duration.ofSeconds(spentSeconds), random);
    }

    private List<Long> pausesMillis(RateLimitHeaders told, int attempted) {
        RetryPolicy often = POLICY.withAttempts(100).withLongest(Duration.ofHours(1));
        return IntStream.range(0, 1_000)
                .mapToObj(i -> pause(often, told, attempted, 0).orElseThrow().toMillis())
                .toList();
    }

    @Test
    void spreadsOverATenthOfRetryAfter() {
        assertThat(pausesMillis(told(20), 1)).allMatch(millis -> millis >= 20_000 && millis <= 22_000);
        assertThat(pausesMillis(told(20), 1)).anyMatch(millis -> millis < 20_200);
        assertThat(pausesMillis(told(20), 1)).anyMatch(millis -> millis > 21_800);
    }

    @Test
    void spreadsMoreEachTimeButAtMostOverHalfOfRetryAfter() {
        assertThat(pausesMillis(told(2), 1)).allMatch(millis -> millis <= 2_200);
        assertThat(pausesMillis(told(2), 3)).anyMatch(millis -> millis > 2_700).allMatch(millis -> millis <= 2_800);
        assertThat(pausesMillis(told(2), 60)).anyMatch(millis -> millis > 2_900).allMatch(millis -> millis <= 3_000);
    }

    @Test
    void doublesRandomPausesWithoutRetryAfter() {
        assertThat(pausesMillis(RateLimitHeaders.NONE, 1)).allMatch(millis -> millis <= 200);
        assertThat(pausesMillis(RateLimitHeaders.NONE, 4))
                .anyMatch(millis -> millis < 100)
                .anyMatch(millis -> millis > 1_500)
                .allMatch(millis -> millis <= 1_600);
        assertThat(pausesMillis(RateLimitHeaders.NONE, 99))
                .anyMatch(millis -> millis > 19_000)
                .allMatch(millis -> millis <= 20_000);
    }

    @Test
    void endsWithTheLastAttempt() {
        assertThat(pause(POLICY, told(1), 4, 0)).isPresent();
        assertThat(pause(POLICY, told(1), 5, 0)).isEmpty();
    }

    @Test
    void doesNotWaitLongerThanTheTimeLimit() {
        assertThat(pause(POLICY, told(61), 1, 0)).isEmpty();
        assertThat(pause(POLICY, told(30), 1, 31)).isEmpty();
        assertThat(pause(POLICY, told(999_999_999_999_999L), 1, 0)).isEmpty();
        assertThat(pause(POLICY, RateLimitHeaders.NONE, 1, 61)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"})
    void retriesIdempotentMethods(String method) {
        assertThat(POLICY.pause(method, 429, told(1), 1, Duration.ZERO, random)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PATCH", "CONNECT", "get", "LOCK"})
    void retriesOtherMethodsOnlyIfConfigured(String method) {
        assertThat(POLICY.pause(method, 429, told(1), 1, Duration.ZERO, random)).isEmpty();
        assertThat(POLICY.withAnyMethod().pause(method, 429, told(1), 1, Duration.ZERO, random))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 301, 400, 401, 403, 500, 502})
    void doesNotRetryOtherStatuses(int status) {
        assertThat(POLICY.pause("GET", status, told(1), 1, Duration.ZERO, random))
                .isEmpty();
    }

    @Test
    void refusesInvalidFigures() {
        assertThatThrownBy(() -> POLICY.withAttempts(0)).hasMessage("attempts is 0; it must be at least 1");
        assertThatThrownBy(() -> POLICY.withLongest(Duration.ZERO))
                .hasMessage("longest is PT0S; it must be above zero and at most a year");
        assertThatThrownBy(() -> POLICY.withLongest(Duration.ofSeconds(Long.MAX_VALUE)))
                .hasMessageContaining("at most a year");
        assertThatThrownBy(() -> new RetryPolicy(
                        1, Duration.ofSeconds(1), Duration.ofSeconds(-1), Duration.ofSeconds(1), Set.of(429), false))
                .hasMessage("firstPause is PT-1S; it must be above zero and at most a year");
    }
}
