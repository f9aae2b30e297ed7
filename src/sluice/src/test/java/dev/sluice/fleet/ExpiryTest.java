package dev.sluice.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import dev.sluice.tier.Windows;
import dev.sluice.tier.Windows.Unit;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys in Redis expire by themselves, and no sooner than they may. */
@Timeout(240) // of a flood on a busy machine; stops what hangs
@Tag("store")
class ExpiryTest {

    /** At least so many tenants are made up, even if fewer fill Redis. */
    private static final int TENANTS = Integer.getInteger("sluice.flood", 0);

    /** The longest time that is left to any key, in milliseconds; fails if one has none. */
    private static final String LONGEST_LIFE = """
        local longest = 0
        for _, key in ipairs(redis.call('KEYS', '*')) do
          local left = redis.call('PTTL', key)
          if left == -1 then return redis.error_reply('no TTL: ' .. key) end
          if not key:find('!birth', 1, true) and not key:find('!shares', 1, true) then longest = math.max(longest, left) end
        end
        return longest
        """;

    private static long longestLifeMillis(RedisServer redis) {
        return (Long) redis.call("EVAL", LONGEST_LIFE, "0");
    }

    @Test
    void everyKeyHasATimeToLiveAndCountersGoSoonAfterTheirWindow() {
        Limits limits =
                Fleet.limits(SharingOptions.DEFAULT, Fleet.tier(50, Duration.ofSeconds(1), Fleet.slack(0.01, 20)));
        try (RedisServer redis = RedisServer.open()) {
            try (Fleet fleet = Fleet.ofThree(limits, redis.patientUri())) {
                Load load = Load.start(fleet.limiters(), 2, Fleet.tenants(100), Duration.ofMillis(1));
                Eventually.await("three windows", () -> {
                    assertThat(longestLifeMillis(redis)).isLessThanOrEqualTo(60_000);
                    return load.admittedInWindows().size() >= 3;
                });
                load.stop();
                assertThat(load.thrown()).isEmpty();
            }
            assertThat((List<?>) redis.call("KEYS", "sluice:*:a:*")).isNotEmpty();
            Eventually.await("counters to go", () -> ((List<?>) redis.call("KEYS", "sluice:*:a:*")).isEmpty());
            assertThat(longestLifeMillis(redis)).isLessThanOrEqualTo(60_000);
        }
    }

    @Test
    void aMonthOfTheCalendarIsKeptUntilTheNextOneBegins() {
        Windows months = Windows.every(Unit.MONTH, ZoneId.of("Europe/Berlin"));
        Tier month = new Tier("month-Europe/Berlin", new Limit.FixedWindow(50, months), Fleet.slack(0, 20));
        try (RedisServer redis = RedisServer.open();
                Fleet fleet = new Fleet()) {
            CountingRateLimiter limiter = fleet.join(Fleet.limits(Fleet.patient(), month), redis.patientUri());
            long now = System.currentTimeMillis();
            assertThat(limiter.decide(TestCall.get("/a").of("acme")).admitted()).isTrue();

            assertThat((List<?>) redis.call("KEYS", "sluice:*:a:*"))
                    .singleElement()
                    .asString()
                    .endsWith(":month-Europe/Berlin:" + months.startAt(now) + ":" + months.endAt(now));
            assertThat(longestLifeMillis(redis) + now).isBetween(months.endAt(now), months.endAt(now) + 5_000);
        }
    }

    @Test
    void aFloodOfMadeUpTenantsDoesNotEvictUsedUpLimits() {
        int tenants = 50_000;
        Limits limits = Fleet.sharing(
                Fleet.patient(),
                TestLimits.atMostCounters(
                        1_000, TestLimits.endpoint("a", "/a", Fleet.tier(1, Fleet.FOR_EVER, Fleet.slack(0, 1_000)))));
        Call acme = TestCall.get("/a").of("acme");
        try (RedisServer redis = RedisServer.open();
                Fleet fleet = new Fleet()) {
            CountingRateLimiter limiter = fleet.join(limits, redis.patientUri());
            assertThat(limiter.decide(acme).admitted()).isTrue();

            AtomicInteger admitted = new AtomicInteger();
            Callers.share(64, tenants, i -> {
                if (limiter.decide(TestCall.get("/a").of("flood-" + i)).admitted()) {
                    admitted.incrementAndGet();
                }
            });
            assertThat(admitted).hasValue(tenants); // none waits for a counter that has been evicted
            assertThat(IntStream.range(0, 10).filter(i -> limiter.decide(acme).admitted()))
                    .isEmpty();
            assertThat((Long) redis.call("DBSIZE")).isGreaterThan(tenants);
            assertThat(longestLifeMillis(redis)).isPositive();
        }
    }

    /** So a limit by address bounds the memory for names that callers make up. */
    @Test
    void aMadeUpTenantWhoIsRefusedByAnotherLimitLeavesNothing() {
        Tier slides = new Tier("slides", new Limit.SlidingWindow(100, Fleet.FOR_EVER, 1), Fleet.slack(0.01, 20));
        Limits limits = Fleet.sharing(
                Fleet.patient(),
                TestLimits.of(
                        TestLimits.endpoint("a", "/a", Fleet.tier(100, Fleet.FOR_EVER, Fleet.slack(0.01, 20)), slides),
                        TestLimits.per(
                                TestLimits.endpoint(
                                        "by-address", "/a", Fleet.tier(5, Fleet.FOR_EVER, Fleet.slack(0, 20))),
                                "ip")));
        Call honest = TestCall.get("/a").of("honest").from("192.0.2.2");
        AtomicInteger batches = new AtomicInteger();
        try (RedisServer redis = RedisServer.open()) {
            try (Fleet fleet = new Fleet()) {
                CountingRateLimiter limiter = fleet.join(
                        limits, redis.patientUri(), InstantSource.system(), batch -> batches.incrementAndGet());
                assertThat(IntStream.range(0, 2_000)
                                .filter(i -> limiter.decide(TestCall.get("/a").of("flood-" + i))
                                        .admitted()))
                        .hasSize(5);
                int sent = batches.get();
                Eventually.await("some exchanges", () -> limiter.decide(honest) != null && batches.get() > sent + 5);
            }
            assertThat((List<?>) redis.call("KEYS", "sluice:*:a:*"))
                    .map(key -> ((String) key).replaceAll(".*(flood|honest).*", "$1"))
                    .containsOnly("flood", "honest")
                    .hasSize(2 * (5 + 1)); // each has one for a window and one for a frame
        }
    }

    /** A bound that the operator sets: beyond it Redis takes nothing more, and each instance counts for itself. */
    @Test
    @Timeout(600) // of ten million
    void aFloodFillsNoMoreOfRedisThanItsMaxmemoryAndNoLimitIsLost() {
        long maximum = 8 << 20;
        SharingOptions patient = new SharingOptions(SharingOptions.OnFailure.LOCAL, Duration.ofSeconds(5));
        Limits limits = Fleet.limits(patient, Fleet.tier(10, Fleet.FOR_EVER, Fleet.slack(0, 100)));
        List<Call> honest = Fleet.tenants(20);
        try (RedisServer redis = RedisServer.open("--maxmemory", Long.toString(maximum))) {
            Fleet fleet = Fleet.ofThree(limits, redis.patientUri());
            Map<Call, Long> admitted = callAll(fleet, honest, 8);
            for (int flood = 0; usedMemory(redis) < maximum || flood * 3_000 < TENANTS; flood++) {
                String name = "flood-" + flood + "-";
                Callers.share(
                        64,
                        3_000,
                        i -> fleet.limiters()
                                .get(i % 3)
                                .decide(TestCall.get("/a").of(name + i)));
            }
            long filled = usedMemory(redis);
            callAll(fleet, honest, 30).forEach((tenant, calls) -> admitted.merge(tenant, calls, Long::sum));
            assertThat(filled).isLessThan(maximum + (2 << 20));
            assertThat(admitted.values()).allMatch(calls -> calls >= 10 && calls <= 3 * 10);

            redis.call("CONFIG", "SET", "maxmemory", "0");
            // however late a busy machine reports a flood: an instance that closes does so for two seconds only
            Eventually.await(
                    "all that passed is counted",
                    () -> honest.stream().allMatch(tenant -> fleet.total(redis, tenant) == admitted.get(tenant)));
            fleet.close();
            assertThat(honest)
                    .allSatisfy(tenant -> assertThat(fleet.total(redis, tenant)).isEqualTo(admitted.get(tenant)));
        }
    }

    /** Each tenant calls so often, each time another instance; how many calls of each were admitted. */
    private static Map<Call, Long> callAll(Fleet fleet, List<Call> tenants, int times) {
        Map<Call, Long> admitted = new HashMap<>();
        for (Call tenant : tenants) {
            long passed = IntStream.range(0, times)
                    .filter(i -> fleet.limiters().get(i % 3).decide(tenant).admitted())
                    .count();
            admitted.put(tenant, passed);
        }
        return admitted;
    }

    private static long usedMemory(RedisServer redis) {
        Matcher used = Pattern.compile("used_memory:(\\d+)").matcher((String) redis.call("INFO", "memory"));
        assertThat(used.find()).isTrue();
        return Long.parseLong(used.group(1));
    }
}
