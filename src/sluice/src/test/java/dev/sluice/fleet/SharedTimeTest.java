package dev.sluice.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Eventually;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Windows are cut by the store's clock, whatever the machines believe. */
@Timeout(60)
@Tag("store")
class SharedTimeTest {

    private static final long PERIOD_MILLIS = 3_600_000;
    private static final Call CALL = TestCall.get("/a").of("acme");

    @Test
    void instancesOneAndAHalfHoursApartShareOneLimit() {
        Limits limits =
                Fleet.limits(Fleet.patient(), Fleet.tier(50, Duration.ofMillis(PERIOD_MILLIS), Fleet.slack(0, 20)));
        try (RedisServer redis = RedisServer.open();
                Fleet fleet = new Fleet()) {
            fleet.join(limits, redis.patientUri(), () -> Instant.now().minus(Duration.ofMinutes(90)));
            fleet.join(limits, redis.patientUri());
            Eventually.await(
                    "a window that does not end soon",
                    () -> System.currentTimeMillis() % PERIOD_MILLIS < PERIOD_MILLIS - 10_000);
            AtomicInteger admitted = new AtomicInteger();

            Eventually.await("the whole threshold", () -> admitted.addAndGet(admittedByEach(fleet)) >= 50);
            for (int i = 0; i < 100; i++) {
                admitted.addAndGet(admittedByEach(fleet));
            }

            assertThat(admitted).hasValue(50);
            assertThat((List<?>) redis.call("KEYS", "sluice:*:a:*")).hasSize(1);
            long nowMillis = System.currentTimeMillis();
            assertThat(fleet.limiters())
                    .allSatisfy(limiter -> assertThat(limiter.decide(CALL).resetAfterMillis())
                            .isBetween(
                                    PERIOD_MILLIS - nowMillis % PERIOD_MILLIS - 300,
                                    PERIOD_MILLIS - nowMillis % PERIOD_MILLIS + 300));
        }
    }

    private static int admittedByEach(Fleet fleet) {
        return (int) fleet.limiters().stream()
                .filter(limiter -> limiter.decide(CALL).admitted())
                .count();
    }

    @Test
    void aJumpOfTheStoresClockIsLoggedOnceAndFollowed() {
        TestClock machine = new TestClock(1_800_000_000_000L);
        TestClock store = new TestClock(1_800_000_000_000L);
        Limits limits =
                Fleet.limits(SharingOptions.DEFAULT, Fleet.tier(100, Duration.ofMinutes(1), Fleet.slack(0.01, 10)));
        try (LogLines log = new LogLines();
                CountingRateLimiter limiter = new CountingRateLimiter(
                        limits, machine, RateLimitListener.NONE, CounterStores.open("memory:", store), "i", null)) {
            assertThat(limiter.decide(CALL).resetAfterMillis()).isBetween(59_900L, 60_000L);

            store.advance(Duration.ofSeconds(20));
            Eventually.await("the jump", () -> limiter.decide(CALL).resetAfterMillis() < 41_000);

            assertThat(limiter.decide(CALL).resetAfterMillis()).isBetween(39_000L, 40_000L);
            assertThat(log.with("WARN"))
                    .singleElement()
                    .asString()
                    .matches(
                            ".* The store's clock and this machine's clock moved apart by (19[0-9]{3}|20000|20[0-9]{3}) ms. "
                                    + "Windows follow the store's clock, so some may be shorter or longer than usual");
        }
    }
}
