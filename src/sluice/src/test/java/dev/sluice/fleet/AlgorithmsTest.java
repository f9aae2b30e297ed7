package dev.sluice.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** On a real Redis, a strict tier over three instances is never passed by one call, whatever the algorithm. */
@Timeout(60)
@Tag("store")
class AlgorithmsTest {

    private static final int THRESHOLD = 50;

    static Stream<Limit> limits() {
        return Stream.of(
                new Limit.FixedWindow(THRESHOLD, Fleet.FOR_EVER),
                new Limit.SlidingWindow(THRESHOLD, Fleet.FOR_EVER, 1),
                new Limit.SlidingWindow(THRESHOLD, Fleet.FOR_EVER, 4),
                new Limit.SlidingLog(THRESHOLD, Fleet.FOR_EVER),
                new Limit.TokenBucket(THRESHOLD, Fleet.FOR_EVER, THRESHOLD),
                new Limit.LeakyBucket(THRESHOLD, Fleet.FOR_EVER, 0, Duration.ZERO),
                new Limit.LeakyBucket(THRESHOLD, Fleet.FOR_EVER, THRESHOLD - 1, Fleet.FOR_EVER),
                new Limit.Concurrency(THRESHOLD, Limit.Concurrency.Scope.FLEET));
    }

    @ParameterizedTest
    @MethodSource("limits")
    void aStrictTierIsNeverPassed(Limit limit) throws Exception {
        Tier tier = new Tier("tier", limit, new Sync(Duration.ofMillis(100), 0, true));
        Limits limits = Fleet.limits(Fleet.patient(), tier);
        ExecutorService threads = Executors.newFixedThreadPool(12);
        try (RedisServer redis = RedisServer.open();
                Fleet fleet = Fleet.ofThree(limits, redis.patientUri())) {
            List<Callable<Long>> work = new ArrayList<>();
            for (CountingRateLimiter limiter : fleet.limiters()) {
                for (int i = 0; i < 4; i++) {
                    work.add(() -> Stream.generate(
                                    () -> limiter.decide(Fleet.tenants(1).get(0)))
                            .limit(20)
                            .filter(Decision::admitted)
                            .count());
                }
            }
            long admitted = 0;
            for (Future<Long> part : threads.invokeAll(work)) {
                admitted += part.get();
            }
            assertThat(admitted).isEqualTo(THRESHOLD);
        } finally {
            threads.shutdownNow();
        }
    }
}
