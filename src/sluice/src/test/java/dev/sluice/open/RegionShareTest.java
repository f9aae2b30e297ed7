package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A region has its share of each limit that instances count together. */
class RegionShareTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static final String FILE = """
        regionShare: "${SHARE:1}"
        clients:
          - { tenant: acme, endpoints: { shop: [ { period: 1m, threshold: 300 } ] } }
          - { tenant: beta, multiply: 10 }
        endpoints:
          - { id: shop, pathPattern: /shop, tiers: [ { period: 1m, threshold: 5 } ] }
        """;

    private static List<Limit> limits(String share, String endpoint) {
        Limits limits = new GivenFile("regionShare: " + share + "\nendpoints: [ " + endpoint + " ]\n")
                .load()
                .limits();
        return limits.endpoints().get(0).tiers().stream().map(Tier::limit).toList();
    }

    private static Limit limit(String share, String tier) {
        return limits(share, "{ id: shop, pathPattern: /shop, tiers: [ " + tier + " ] }")
                .get(0);
    }

    @ParameterizedTest
    @CsvSource({"0.5, 1000, 500", "0.333, 1000, 333", "0.5, 5, 2", "0.999, 2, 1", "1, 5, 5", "0.001, 1000000, 1000"})
    void isRoundedDown(String share, long ofFile, long ofRegion) {
        assertThat(limit(share, "{ period: 1m, threshold: " + ofFile + " }"))
                .isEqualTo(new Limit.FixedWindow(ofRegion, MINUTE));
    }

    @Test
    void isOneCallAtLeast() {
        assertThat(limit("0.001", "{ period: 1m, threshold: 5 }").threshold()).isEqualTo(1);
    }

    @Test
    void holdsForAllFiguresOfAnAlgorithm() {
        assertThat(limit("0.5", "{ period: 1m, threshold: 60, algorithm: sliding-window, subWindows: 4 }"))
                .isEqualTo(new Limit.SlidingWindow(30, MINUTE, 4));
        assertThat(limit("0.5", "{ period: 1m, threshold: 60, algorithm: sliding-log }"))
                .isEqualTo(new Limit.SlidingLog(30, MINUTE));
        assertThat(limit("0.5", "{ period: 1m, threshold: 60, algorithm: token-bucket, burst: 9 }"))
                .isEqualTo(new Limit.TokenBucket(30, MINUTE, 4));
        assertThat(limit("0.5", "{ period: 1m, threshold: 60, algorithm: leaky-bucket, queue: 8, maxQueueTime: 20s }"))
                .isEqualTo(new Limit.LeakyBucket(30, MINUTE, 4, Duration.ofSeconds(20)));
        assertThat(limit("0.5", "{ threshold: 20, algorithm: concurrency }"))
                .isEqualTo(new Limit.Concurrency(10, Limit.Concurrency.Scope.FLEET));
    }

    /** 3,507,501 in a day would be too fine for a bucket. The nearest rate that divides evenly is a multiple of it. */
    @Test
    void isNeverMoreThanTheShareForBucketsToo() {
        assertThat(limit("0.501", "{ period: 1d, threshold: 7001000, algorithm: token-bucket }")
                        .threshold())
                .isEqualTo(3_507_500);
    }

    @Test
    void holdsForLimitsOfAllCallersTogether() {
        assertThat(limits("0.5", "{ id: a, pathPattern: /, per: [], tiers: [ { period: 1m, threshold: 60 } ] }"))
                .containsExactly(new Limit.FixedWindow(30, MINUTE));
    }

    /** A region with half of the calls does not have half of an instance. */
    @Test
    void leavesWhatEachInstanceHasForItself() {
        assertThat(limits("0.5", """
            { id: a, pathPattern: /, per: [ tenant, server ], tiers: [ { period: 1m, threshold: 60 } ] }
            """)).containsExactly(new Limit.FixedWindow(60, MINUTE));
        assertThat(new GivenFile("""
            regionShare: 0.5
            subjects: { pod: [ server ] }
            endpoints: [ { id: a, pathPattern: /, per: [ pod ], tiers: [ { period: 1m, threshold: 60 } ] } ]
            """)
                        .load()
                        .limits()
                        .tiers()
                        .map(tier -> tier.limit().threshold()))
                .as("by another name")
                .containsExactly(60L);
        assertThat(limit("0.5", "{ threshold: 20, algorithm: concurrency, scope: server }")
                        .threshold())
                .isEqualTo(20);
        Limits limits = new GivenFile("""
            regionShare: 0.5
            clients: [ { tenant: acme, endpoints: { a: [ { period: 1m, threshold: 80 } ] } } ]
            endpoints:
              - { id: a, pathPattern: /, per: [ tenant, server ], tiers: [ { period: 1m, threshold: 60 } ] }
            """).load().limits();
        assertThat(limits.tiers().map(tier -> tier.limit().threshold())).containsExactly(60L, 80L);
    }

    @ParameterizedTest
    @CsvSource({"'', anybody, 5", "0.5, anybody, 2", "0.5, acme, 150", "0.5, beta, 20", "0.25, beta, 10"})
    void isWhatCallersGetInThisRegion(String share, String tenant, int expected) {
        Limits limits = new GivenFile(FILE)
                .loadWith(share.isEmpty() ? Map.of() : Map.of("SHARE", share))
                .limits();
        try (CountingRateLimiter limiter = new CountingRateLimiter(limits, new TestClock(0), RateLimitListener.NONE)) {
            TestCall call = TestCall.get("/shop").of(tenant);
            long admitted = IntStream.range(0, 1000)
                    .filter(i -> limiter.decide(call).admitted())
                    .count();
            assertThat(admitted).isEqualTo(expected);
        }
    }

    @Test
    void keepsCountsWhenItChanges() {
        GivenFile file = new GivenFile(FILE);
        TestCall call = TestCall.get("/shop").of("anybody");
        try (CountingRateLimiter limiter = new CountingRateLimiter(
                file.loadWith(Map.of("SHARE", "0.5")).limits(), new TestClock(0), RateLimitListener.NONE)) {
            assertThat(limiter.decide(call).remaining()).isEqualTo(1);
            limiter.replace(file.loadWith(Map.of("SHARE", "1")).limits());
            assertThat(limiter.decide(call).remaining()).isEqualTo(3);
        }
    }

    @Test
    void isWhatCostsAreComparedWith() {
        assertThat(new GivenFile("""
            regionShare: 0.5
            endpoints:
              - { id: a, pathPattern: /, cost: 5, tiers: [ { period: 1m, threshold: 8 } ] }
            """).problems())
                .containsExactly("3:48 endpoints[0].tiers[0]: no call can pass, because each costs 5, but this tier "
                        + "(4 in 1m) allows at most 4; raise the threshold [SL-141]");
    }
}
