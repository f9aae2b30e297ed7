package dev.sluice.fleet;

import static dev.sluice.TestLimits.counting;
import static dev.sluice.TestLimits.endpoint;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * On a real Redis, a charge that uses up the limit ends the calls of all instances at once, long before the interval
 * ends: a charged call takes nothing, so one permit in hand would admit any number of calls until then.
 */
@Timeout(60)
@Tag("store")
class ChargesTest {

    private static final Call CALL = TestCall.get("/a").of("acme");
    private static final int THRESHOLD = 1_000;
    private static final Duration INTERVAL = Duration.ofMinutes(5);

    static Stream<Limit> limits() {
        return Stream.of(
                new Limit.FixedWindow(THRESHOLD, Fleet.FOR_EVER),
                new Limit.SlidingWindow(THRESHOLD, Fleet.FOR_EVER, 1),
                new Limit.SlidingLog(THRESHOLD, Fleet.FOR_EVER),
                new Limit.TokenBucket(THRESHOLD, Fleet.FOR_EVER, THRESHOLD));
    }

    @ParameterizedTest
    @MethodSource("limits")
    void aChargeEndsTheCallsOfAllInstances(Limit limit) {
        Tier tier = new Tier("tier", limit, new Sync(INTERVAL, 0.01, false));
        Limits limits = Fleet.sharing(
                Fleet.patient(), TestLimits.of(counting(endpoint("a", "/a", tier), Set.of(), Cost.CHARGED)));
        try (RedisServer redis = RedisServer.open();
                Fleet fleet = Fleet.ofThree(limits, redis.patientUri())) {
            for (CountingRateLimiter limiter : fleet.limiters()) {
                assertThat(limiter.decide(CALL).admitted()).isTrue();
            }
            Decision charged = fleet.limiters().get(0).decide(CALL);
            requireNonNull(charged.ticket()).charge(THRESHOLD + 1);
            Eventually.await(
                    "all refuse",
                    () -> fleet.limiters().stream()
                            .noneMatch(limiter -> limiter.decide(CALL).admitted()));
        }
    }
}
