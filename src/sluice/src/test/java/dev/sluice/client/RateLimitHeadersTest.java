package dev.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.client.RateLimitHeaders.Quota;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimitHeadersTest {

    private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

    private static RateLimitHeaders read(String... namesAndValues) {
        Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put(namesAndValues[i], List.of(namesAndValues[i + 1]));
        }
        return RateLimitHeaders.read(name -> fields.getOrDefault(name, List.of()), NOW);
    }

    @Nested
    class RetryAfter {

        @ParameterizedTest
        @CsvSource({
            "7, 7",
            "0, 0",
            "1.2, 2",
            "'Tue, 24 Nov 2026 12:00:30 GMT', 30",
            "'Tue, 24 Nov 2026 11:00:00 GMT', 0"
        })
        void isSecondsOrADate(String value, long seconds) {
            assertThat(read("Retry-After", value).retryAfter()).isEqualTo(Duration.ofSeconds(seconds));
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "-1", "soon", "1e9", "99999999999999999999", "7 s", "NaN"})
        void isIgnoredIfItIsNeither(String value) {
            assertThat(read("Retry-After", value).retryAfter()).isNull();
        }

        @Test
        void isComparedWithTheServersClock() {
            assertThat(read("Retry-After", "Tue, 24 Nov 2026 11:00:30 GMT", "Date", "Tue, 24 Nov 2026 11:00:00 GMT")
                            .retryAfter())
                    .isEqualTo(Duration.ofSeconds(30));
            assertThat(read("Retry-After", "Tue, 24 Nov 2026 12:00:30 GMT", "Date", "today")
                            .retryAfter())
                    .isEqualTo(Duration.ofSeconds(30));
        }

        @Test
        void overridesAllOtherHeaders() {
            RateLimitHeaders told = read("Retry-After", "7", "x-ratelimit-remaining", "0", "x-ratelimit-reset", "3");
            assertThat(told.refusedFor()).isEqualTo(Duration.ofSeconds(7));
        }
    }

    @Nested
    class Quotas {

        @ParameterizedTest
        @ValueSource(strings = {"x-ratelimit-", "X-RateLimit-", "RateLimit-"})
        void areReadFromThreeFields(String prefix) {
            assertThat(read(prefix + "limit", "100", prefix + "remaining", "12", prefix + "reset", "30")
                            .quotas())
                    .containsExactly(new Quota(100, 12, Duration.ofSeconds(30)));
        }

        @ParameterizedTest
        @CsvSource({"1795521630, 30", "1795521630000, 30", "1795521500, 0"})
        void mayResetAtADate(String reset, long seconds) {
            assertThat(read("x-ratelimit-remaining", "0", "x-ratelimit-reset", reset)
                            .refusedFor())
                    .isEqualTo(Duration.ofSeconds(seconds));
        }

        @Test
        void areReadFromTheDraftsFields() {
            RateLimitHeaders told = read(
                    "RateLimit", "\"get;r=0,\\\"1\";r=12;t=30, daily;t=3600;r=0;pk=:YWJj:",
                    "RateLimit-Policy", "\"get;r=0,\\\"1\";q=100;w=60, daily;q=5000;w=86400");
            assertThat(told.quotas())
                    .containsExactly(
                            new Quota(100, 12, Duration.ofSeconds(30)), new Quota(5000, 0, Duration.ofHours(1)));
            assertThat(told.refusedFor()).isEqualTo(Duration.ofHours(1));
        }

        @Test
        void resetAfterAWindowIfTheDraftsResetIsMissing() {
            assertThat(read("RateLimit", "\"get\";r=12", "RateLimit-Policy", "\"get\";q=100;w=60")
                            .quotas())
                    .containsExactly(new Quota(100, 12, Duration.ofMinutes(1)));
        }

        /** Its authors have proposed {@code a} and {@code w} for what are {@code r} and {@code t} up to draft 11. */
        @ParameterizedTest
        @CsvSource({
            "burst;a=80;w=45, 80, 45",
            "burst;w=45;a=0, 0, 45",
            "burst;a=80, 80, 60",
            "burst;r=7;t=9;a=80;w=45, 7, 9",
            "burst;a=80;t=9, 80, 9"
        })
        void areReadFromTheNamesOfTheNextDraft(String item, long remaining, long seconds) {
            assertThat(read("RateLimit", item, "RateLimit-Policy", "burst;q=100;w=60")
                            .quotas())
                    .containsExactly(new Quota(100, remaining, Duration.ofSeconds(seconds)));
        }

        @ParameterizedTest
        @ValueSource(strings = {"10", "10, 10;w=60", "10;w=60, 500;w=3600"})
        void mayHavePoliciesAfterTheLimit(String limit) {
            assertThat(read("x-ratelimit-limit", limit, "x-ratelimit-remaining", "4", "x-ratelimit-reset", "5")
                            .quotas())
                    .containsExactly(new Quota(10, 4, Duration.ofSeconds(5)));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    ",",
                    ";;;",
                    "\"",
                    "\"a",
                    "\"a\\",
                    "a;r",
                    "a;r=;t=",
                    "a;r=-1;t=5",
                    "a;r=1",
                    "=;r=x;t=y",
                    "limit=10, remaining=0, reset=5"
                })
        void areLeftOutIfTheyCannotBeRead(String value) {
            assertThat(read("RateLimit", value, "RateLimit-Policy", value).quotas())
                    .isEmpty();
        }

        @Test
        void areBoundedHoweverLongAHeaderIs() {
            assertThat(read("RateLimit", "a;r=1;t=1,".repeat(1_000_000)).quotas())
                    .hasSizeLessThan(1_000);
        }

        @Test
        void refuseNothingWhileSomethingIsLeft() {
            assertThat(read("x-ratelimit-remaining", "1", "x-ratelimit-reset", "30")
                            .refusedFor())
                    .isNull();
            assertThat(read().refusedFor()).isNull();
            assertThat(read()).isEqualTo(RateLimitHeaders.NONE);
        }
    }
}
