package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Limit.Concurrency.Scope;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys of tiers: algorithms and overage. */
class TierSectionTest {

    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

    private static Tier tier(String keys) {
        return GivenFile.withTiers("{ " + keys + " }").loadTier();
    }

    private static Limit limit(String keys) {
        return tier("period: 10s, threshold: 100, " + keys).limit();
    }

    @Nested
    class Algorithms {

        @Test
        void areReadWithTheirFigures() {
            assertThat(limit("algorithm: fixed-window")).isEqualTo(new Limit.FixedWindow(100, TEN_SECONDS));
            assertThat(limit("algorithm: sliding-window, subWindows: 4"))
                    .isEqualTo(new Limit.SlidingWindow(100, TEN_SECONDS, 4));
            assertThat(limit("algorithm: sliding-log")).isEqualTo(new Limit.SlidingLog(100, TEN_SECONDS));
            assertThat(limit("algorithm: token-bucket, burst: 20"))
                    .isEqualTo(new Limit.TokenBucket(100, TEN_SECONDS, 20));
            assertThat(limit("algorithm: leaky-bucket, queue: 7, maxQueueTime: 2s"))
                    .isEqualTo(new Limit.LeakyBucket(100, TEN_SECONDS, 7, Duration.ofSeconds(2)));
            assertThat(tier("threshold: 3, algorithm: concurrency, scope: server")
                            .limit())
                    .isEqualTo(new Limit.Concurrency(3, Scope.SERVER));
        }

        @Test
        void haveDefaults() {
            assertThat(limit("algorithm: sliding-window")).isEqualTo(new Limit.SlidingWindow(100, TEN_SECONDS, 1));
            assertThat(limit("algorithm: token-bucket")).isEqualTo(new Limit.TokenBucket(100, TEN_SECONDS, 100));
            assertThat(limit("algorithm: leaky-bucket"))
                    .isEqualTo(new Limit.LeakyBucket(100, TEN_SECONDS, 0, Duration.ZERO));
            assertThat(limit("algorithm: leaky-bucket, queue: 7"))
                    .isEqualTo(new Limit.LeakyBucket(100, TEN_SECONDS, 7, TEN_SECONDS));
            assertThat(tier("threshold: 3, algorithm: concurrency").limit())
                    .isEqualTo(new Limit.Concurrency(3, Scope.FLEET));
        }

        @Test
        void queueACallForAPeriodButNoLongerThanMostClientsWait() {
            assertThat(tier("period: 1s, threshold: 5, algorithm: leaky-bucket, queue: 7")
                            .limit())
                    .isEqualTo(new Limit.LeakyBucket(5, Duration.ofSeconds(1), 7, Duration.ofSeconds(1)));
            assertThat(tier("period: 1h, threshold: 5, algorithm: leaky-bucket, queue: 7")
                            .limit())
                    .isEqualTo(new Limit.LeakyBucket(5, Duration.ofHours(1), 7, TEN_SECONDS));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "period: 1ms, threshold: 1000000, algorithm: token-bucket",
                    "period: 10s, threshold: 7000000, algorithm: token-bucket",
                    "period: 366d, threshold: 1, algorithm: token-bucket, burst: 10",
                    "period: 366d, threshold: 1, algorithm: leaky-bucket, queue: 10",
                    "period: 1ms, threshold: 1, algorithm: token-bucket, burst: 316224000000",
                    "period: 7ms, threshold: 3, algorithm: leaky-bucket, queue: 135524571428",
                    "period: 1s, threshold: 100000, algorithm: sliding-log",
                    "period: 60ms, threshold: 1, algorithm: sliding-window, subWindows: 60"
                })
        void mayGoToTheirBounds(String keys) {
            assertThat(tier(keys).limit().threshold()).isPositive();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "period: 366d, threshold: 1, algorithm: token-bucket, burst: 11",
                    "period: 1ms, threshold: 1, algorithm: token-bucket, burst: 316224000001"
                })
        void mayNotGoBeyondThem(String keys) {
            assertThat(GivenFile.withTiers("{ " + keys + " }").problems())
                    .singleElement()
                    .asString()
                    .endsWith("[SL-106]");
        }
    }

    @Nested
    class Identifiers {

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "period: 10s, threshold: 1 | 10s",
                    "period: 10s, threshold: 1, algorithm: sliding-window | 10s-sliding-window",
                    "period: 10s, threshold: 1, algorithm: sliding-window, subWindows: 4 | 10s-sliding-window-4",
                    "period: 10s, threshold: 1, algorithm: sliding-log | 10s-sliding-log",
                    "period: 60s, threshold: 1, algorithm: token-bucket, burst: 2 | 1m-token-bucket",
                    "period: 10s, threshold: 1, algorithm: leaky-bucket | 10s-leaky-bucket",
                    "period: 10s, threshold: 1, algorithm: leaky-bucket, queue: 1 | 10s-leaky-bucket-queue",
                    "threshold: 1, algorithm: concurrency | concurrency",
                    "threshold: 1, algorithm: concurrency, scope: server | concurrency-server"
                })
        void tellApartWhatIsCountedInDifferentWays(String keys, String name) {
            assertThat(tier(keys).name()).isEqualTo(name);
        }

        @Test
        void letTiersOfOnePeriodStandBesideEachOther() {
            assertThat(GivenFile.withTiers(
                                    "{ period: 10s, threshold: 100 }",
                                    "{ period: 10s, threshold: 100, algorithm: token-bucket, burst: 5 }",
                                    "{ period: 10s, threshold: 120, algorithm: token-bucket, burst: 6 }")
                            .problems())
                    .singleElement()
                    .asString()
                    .contains("tiers[2]")
                    .endsWith("[SL-129]");
        }
    }

    @Nested
    class BeyondTheThreshold {

        @Test
        void nothingPassesUnlessTheTierSaysSo() {
            assertThat(tier("period: 10s, threshold: 100").overage()).isEqualTo(Overage.NONE);
        }

        @Test
        void aPartMayPass() {
            Tier soft = tier("period: 10s, threshold: 100, tolerance: 12.5%");
            assertThat(soft.overage()).isEqualTo(new Overage.Soft(0.125));
            assertThat(soft.most()).isEqualTo(112);
            Tier elastic = tier("period: 10s, threshold: 100, elastic: { upTo: 150%, whileLoadBelow: 60% }");
            assertThat(elastic.overage()).isEqualTo(new Overage.Elastic(1.5, 0.6));
            assertThat(elastic.most()).isEqualTo(150);
        }

        @Test
        void variablesMayTellHowMuch() {
            Map<String, String> variables = Map.of("T", "10%", "N", "4", "A", "sliding-window");
            LimitsFile file = GivenFile.withTiers(
                            "{ period: 10s, threshold: 100, algorithm: \"${A}\", subWindows: \"${N}\", tolerance:"
                                    + " \"${T}\" }")
                    .loadWith(variables);
            assertThat(file.limits().endpoints().get(0).tiers())
                    .containsExactly(new Tier(
                            "10s-sliding-window-4",
                            new Limit.SlidingWindow(100, TEN_SECONDS, 4),
                            new Overage.Soft(0.1),
                            Sync.DEFAULT));
        }
    }

    @Nested
    class CountingTogether {

        @ParameterizedTest
        @ValueSource(strings = {"sliding-log", "sliding-log, sync: strict", "leaky-bucket, queue: 5"})
        void isStrictWhereTheOrderOfAllCallsMatters(String algorithm) {
            assertThat(tier("period: 10s, threshold: 100, algorithm: " + algorithm)
                            .sync()
                            .strict())
                    .isTrue();
        }

        @ParameterizedTest
        @ValueSource(strings = {"sliding-window", "token-bucket", "leaky-bucket", "leaky-bucket, queue: 0"})
        void isAsTheFileSaysOtherwise(String algorithm) {
            assertThat(tier("period: 10s, threshold: 100, algorithm: " + algorithm)
                            .sync())
                    .isEqualTo(Sync.DEFAULT);
        }
    }

    @Nested
    class IdleTiers {

        private List<String> of(String... tiers) {
            return GivenFile.withTiers(tiers).problems().stream()
                    .map(problem ->
                            problem.replaceFirst("^1:\\d+ endpoints\\[0]\\.(tiers\\[\\d]).*\\[(SL-\\d+)]$", "$1 $2"))
                    .toList();
        }

        private String tier(String period, long threshold, String more) {
            return "{ period: " + period + ", threshold: " + threshold + ", algorithm: " + more + " }";
        }

        @Test
        void areFoundBehindALog() {
            assertThat(of(tier("10s", 100, "sliding-log"), tier("10s", 100, "fixed-window")))
                    .containsExactly("tiers[1] SL-152");
            assertThat(of(tier("10s", 100, "sliding-log"), tier("25s", 299, "fixed-window")))
                    .isEmpty();
            assertThat(of(tier("10s", 100, "sliding-log"), tier("25s", 300, "fixed-window")))
                    .containsExactly("tiers[1] SL-152");
        }

        @Test
        void areNotThoseThatFixedWindowsLetTwiceTheirThresholdReach() {
            assertThat(of(tier("10s", 100, "fixed-window"), tier("10s", 199, "sliding-log")))
                    .isEmpty();
            assertThat(of(tier("10s", 100, "fixed-window"), tier("10s", 200, "sliding-log")))
                    .containsExactly("tiers[1] SL-152");
        }

        @Test
        void areBucketsBehindSmallerAndSlowerOnes() {
            assertThat(of(tier("1m", 60, "token-bucket, burst: 5"), tier("1s", 1, "token-bucket, burst: 5")))
                    .containsExactly("tiers[0] SL-152", "tiers[1] SL-152");
            assertThat(of(tier("1m", 60, "token-bucket, burst: 5"), tier("1s", 1, "token-bucket, burst: 4")))
                    .containsExactly("tiers[0] SL-152");
            assertThat(of(tier("1m", 60, "token-bucket, burst: 5"), tier("1s", 2, "token-bucket, burst: 4")))
                    .isEmpty();
            assertThat(of(tier("1m", 60, "token-bucket, burst: 5"), tier("1m", 65, "fixed-window")))
                    .containsExactly("tiers[1] SL-152");
        }

        @Test
        void areJudgedWithWhatPassesBeyondTheOther() {
            assertThat(of(tier("10s", 100, "sliding-log, tolerance: 10%"), tier("10s", 100, "fixed-window")))
                    .isEmpty();
            assertThat(of(tier("10s", 100, "sliding-log, tolerance: 10%"), tier("10s", 110, "fixed-window")))
                    .containsExactly("tiers[1] SL-152");
        }

        @Test
        void areServersBehindAFleetThatHasNoMoreRoom() {
            String fleet = "{ threshold: 20, algorithm: concurrency }";
            assertThat(of(fleet, "{ threshold: 19, algorithm: concurrency, scope: server }"))
                    .isEmpty();
            assertThat(of(fleet, "{ threshold: 20, algorithm: concurrency, scope: server }"))
                    .containsExactly("tiers[1] SL-152");
            assertThat(of(fleet, tier("10s", 1000, "fixed-window"))).isEmpty();
        }
    }
}
