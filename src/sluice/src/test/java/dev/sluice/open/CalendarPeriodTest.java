package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.Decision;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.internal.config.tier.TierText;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.match.condition.Schedule;
import dev.sluice.internal.match.condition.WallClock;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import dev.sluice.tier.Windows;
import dev.sluice.tier.Windows.Unit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Days, weeks and months of the calendar as periods of tiers. */
class CalendarPeriodTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static Tier tier(String keys) {
        return GivenFile.withTiers("{ " + keys + " }").loadTier();
    }

    private static Limit limit(long threshold, Unit unit, ZoneId zone) {
        return new Limit.FixedWindow(threshold, Windows.every(unit, zone));
    }

    @Test
    void haveTheZoneOfTheTierOrTheFileOrUtc() {
        assertThat(tier("period: month, threshold: 5").limit()).isEqualTo(limit(5, Unit.MONTH, ZoneId.of("UTC")));
        assertThat(tier("period: week, threshold: 5, zone: Europe/Berlin").limit())
                .isEqualTo(limit(5, Unit.WEEK, BERLIN));
        List<Tier> tiers = GivenFile.of("""
            zone: Europe/Berlin
            endpoints:
              - id: a
                pathPattern: /a
                tiers: [ { period: day, threshold: 5 }, { period: month, threshold: 90, zone: UTC } ]
            """).load().limits().endpoints().get(0).tiers();
        assertThat(tiers)
                .extracting(Tier::limit)
                .containsExactly(limit(5, Unit.DAY, BERLIN), limit(90, Unit.MONTH, ZoneId.of("UTC")));
    }

    @Test
    void clientsHaveTheZoneOfTheFileToo() {
        assertThat(GivenFile.of("""
            zone: Europe/Berlin
            clients: [ { tenant: acme, endpoints: { a: [ { period: day, threshold: 7 } ] } } ]
            endpoints: [ { id: a, pathPattern: /a, tiers: [ { period: day, threshold: 5 } ] } ]
            """)
                        .load()
                        .limits()
                        .clients()
                        .get(0)
                        .endpoints()
                        .get("a"))
                .extracting(Tier::limit)
                .containsExactly(limit(7, Unit.DAY, BERLIN));
    }

    @Test
    void theZoneOfTheFileIsThatOfHoursAndDaysToo() {
        assertThat(GivenFile.of("""
            zone: Europe/Berlin
            endpoints:
              - id: a
                pathPattern: /a
                when: { between: "01:00-06:00" }
                tiers: [ { period: 1h, threshold: 5 } ]
            """).load().limits().endpoints().get(0).when())
                .isInstanceOfSatisfying(
                        Schedule.class, schedule -> assertThat(schedule.clock()).isEqualTo(new WallClock(BERLIN)));
    }

    /** The name is a part of each counter's key. */
    @ParameterizedTest
    @CsvSource({
        "'period: day', day",
        "'period: 1d', 1d",
        "'period: week, zone: Etc/UTC', week",
        "'period: month, zone: Europe/Berlin', month-Europe/Berlin",
        "'period: month, zone: Europe/Paris', month-Europe/Paris",
        "'period: day, zone: \"+02:00\"', day-+02:00"
    })
    void haveNamesThatNoTierOfAnotherZoneHas(String keys, String name) {
        assertThat(tier(keys + ", threshold: 5").name()).isEqualTo(name);
    }

    @Test
    void goTogetherWithSharesOfRegionsAndFactorsOfClients() {
        assertThat(GivenFile.with("""
            regionShare: 0.5
            clients: [ { tenant: big, multiply: 10 } ]\
            """.replace("\n ", "\n")).problems()).isEmpty();
        assertThat(limit(5, Unit.MONTH, BERLIN).times(java.math.BigDecimal.TEN))
                .isEqualTo(limit(50, Unit.MONTH, BERLIN));
    }

    @ParameterizedTest
    @CsvSource({
        "100, day, 3100, month, true",
        "100, day, 3099, month, false",
        "100, day, 700, week, true",
        "100, week, 600, month, true",
        "100, week, 599, month, false",
        "1000, 1h, 28000, day, true",
        "1000, 1h, 27999, day, false"
    })
    void areIdleIfShorterTiersLetNoMorePass(long shorter, String period, long longer, String calendar, boolean isIdle) {
        List<String> problems =
                GivenFile.of("""
                    zone: Europe/Berlin
                    endpoints:
                      - id: a
                        pathPattern: /a
                        tiers: [ { period: %s, threshold: %d }, { period: %s, threshold: %d } ]
                    """.formatted(period, shorter, calendar, longer)).problems();
        assertThat(problems)
                .hasSize(isIdle ? 1 : 0)
                .allMatch(problem ->
                        problem.contains("(" + longer + " in a " + calendar + " in Europe/Berlin) has no effect"));
    }

    @Nested
    class InOneWord {

        @Test
        void areReadWithTheirZone() {
            assertThat(TierText.parse("100/day,3000/month@Europe/Berlin,5/10s", Sync.DEFAULT))
                    .extracting(Tier::limit)
                    .containsExactly(
                            limit(100, Unit.DAY, ZoneId.of("UTC")),
                            limit(3000, Unit.MONTH, BERLIN),
                            new Limit.FixedWindow(5, Duration.ofSeconds(10)));
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "5/1d@Europe/Berlin | windows of 1d begin at the same moment in all zones; leave out"
                            + " @Europe/Berlin, or write 5/day@Europe/Berlin",
                    "5/month@Berlin | Berlin is not a time zone; write one such as Europe/Paris",
                    "5/year | \"5/year\" is not a threshold and a period; write, for example, 5000/10s or"
                            + " 100/1s,5000/10s, or 5000/month",
                    "5/day,6/day@UTC | two tiers have the period day"
                })
        void areRefusedWithWhatToWrite(String text, String message) {
            assertThatThrownBy(() -> TierText.parse(text, Sync.DEFAULT))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(message);
        }
    }

    /** In a process alone; a fleet does the same in CalendarFleetTest. */
    @Nested
    class Calls {

        private final TestClock clock = new TestClock(0);

        private CountingRateLimiter open(String tier) {
            return new CountingRateLimiter(
                    GivenFile.withTiers("{ threshold: 2, " + tier + " }").load().limits(),
                    clock,
                    RateLimitListener.NONE);
        }

        private void set(String time) {
            clock.set(Instant.parse(time).toEpochMilli());
        }

        @ParameterizedTest
        @ValueSource(strings = {"", ", sync: strict", ", tolerance: 50%"})
        void passAgainAtMidnightThough25HoursHavePassed(String more) {
            set("2026-10-24T22:00:00Z");
            try (CountingRateLimiter limiter = open("period: day, zone: Europe/Berlin" + more)) {
                long most = more.contains("tolerance") ? 3 : 2;
                for (int call = 0; call < most; call++) {
                    assertThat(limiter.decide(TestCall.get("/product/1").of("acme"))
                                    .admitted())
                            .isTrue();
                }
                Decision refused = limiter.decide(TestCall.get("/product/1").of("acme"));
                assertThat(refused.retryAfterMillis())
                        .isEqualTo(Duration.ofHours(25).toMillis());
                assertThat(refused.resetAfterMillis())
                        .isEqualTo(Duration.ofHours(25).toMillis());

                set("2026-10-25T22:59:59.999Z");
                assertThat(limiter.decide(TestCall.get("/product/1").of("acme")).admitted())
                        .isFalse();
                set("2026-10-25T23:00:00Z");
                assertThat(limiter.decide(TestCall.get("/product/1").of("acme")).admitted())
                        .isTrue();
            }
        }

        @Test
        void countTheWholeMonthForAnyLength() {
            set("2027-02-28T23:59:59Z");
            try (CountingRateLimiter limiter = open("period: month")) {
                assertThat(limiter.decide(TestCall.get("/product/1").of("acme")).resetAfterMillis())
                        .isEqualTo(1_000);
                assertThat(limiter.decide(TestCall.get("/product/1").of("acme")).admitted())
                        .isTrue();
                assertThat(limiter.decide(TestCall.get("/product/1").of("acme")).admitted())
                        .isFalse();
                set("2027-03-01T00:00:00Z");
                assertThat(limiter.decide(TestCall.get("/product/1").of("acme")).resetAfterMillis())
                        .isEqualTo(Duration.ofDays(31).toMillis());
            }
        }

        @Test
        void keepTheirCountUnderAnotherThresholdOnly() {
            set("2026-11-10T12:00:00Z");
            try (CountingRateLimiter limiter = open("period: month, zone: Europe/Berlin")) {
                assertThat(limiter.decide(TestCall.get("/product/1").of("acme")).remaining())
                        .isEqualTo(1);
                limiter.replace(GivenFile.withTiers("{ period: month, zone: Europe/Berlin, threshold: 10 }")
                        .load()
                        .limits());
                assertThat(limiter.decide(TestCall.get("/product/1").of("acme")).remaining())
                        .isEqualTo(8);
                limiter.replace(GivenFile.withTiers("{ period: month, zone: Europe/Paris, threshold: 10 }")
                        .load()
                        .limits());
                assertThat(limiter.decide(TestCall.get("/product/1").of("acme")).remaining())
                        .isEqualTo(9);
            }
        }
    }
}
