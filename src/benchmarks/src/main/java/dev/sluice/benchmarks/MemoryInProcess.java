package dev.sluice.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.util.concurrent.RateLimiter;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The heap that a limiter in one process needs for each caller. A million callers make one call each, and then the live
 * heap is measured after a garbage collection. Each contestant is measured in its own JVM. Limiters from other
 * libraries are stored in a Caffeine cache, with the caller's name as the key. The cache has a maximum size, because
 * the number of our counters is limited, too. Each name is a separate string, and the figures include the memory of
 * these strings.
 */
final class MemoryInProcess {

    private static final int CALLERS = 1_000_000;
    private static final int COLLECTIONS = 3;
    private static final Duration PERIOD = Duration.ofHours(1);
    private static final int CALLS = 100;

    private static final Map<String, Supplier<Object>> CONTESTANTS = contestants();

    private MemoryInProcess() {}

    /** Prints the number of bytes per caller for one contestant. */
    public static void main(String[] args) {
        Supplier<Object> contestant = CONTESTANTS.get(args[0]);
        System.out.println(held(contestant) / CALLERS);
        System.exit(0);
    }

    /** The number of bytes per caller, for each contestant. */
    static Map<String, Long> measure() throws IOException, InterruptedException {
        Map<String, Long> bytes = new LinkedHashMap<>();
        for (String name : CONTESTANTS.keySet()) {
            Process process = AllBenchmarks.fork(MemoryInProcess.class, name)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (process.waitFor() != 0) {
                throw new IOException("the heap of " + name + " was not measured: " + said);
            }
            bytes.put(name, Long.parseLong(said));
        }
        return bytes;
    }

    private static Map<String, Supplier<Object>> contestants() {
        Map<String, Supplier<Object>> all = new LinkedHashMap<>();
        all.put("fixed window", () -> sluice(new Limit.FixedWindow(CALLS, PERIOD)));
        all.put("sliding window", () -> sluice(new Limit.SlidingWindow(CALLS, PERIOD, 1)));
        all.put("four frames", () -> sluice(new Limit.SlidingWindow(CALLS, PERIOD, 4)));
        all.put("sliding log", () -> sluice(new Limit.SlidingLog(CALLS, PERIOD)));
        all.put("token bucket", () -> sluice(new Limit.TokenBucket(CALLS, PERIOD, CALLS)));
        all.put("leaky bucket", () -> sluice(new Limit.LeakyBucket(CALLS, PERIOD, 0, Duration.ZERO)));
        all.put("Bucket4j", () -> cached(tenant -> {
            Bucket bucket = Bucket.builder()
                    .addLimit(limit -> limit.capacity(CALLS).refillGreedy(CALLS, PERIOD))
                    .build();
            bucket.tryConsume(1);
            return bucket;
        }));
        RateLimiterConfig config = RateLimiterConfig.custom()
                .limitForPeriod(CALLS)
                .limitRefreshPeriod(PERIOD)
                .timeoutDuration(Duration.ZERO)
                .build();
        all.put("Resilience4j", () -> cached(tenant -> {
            var limiter = io.github.resilience4j.ratelimiter.RateLimiter.of(tenant, config);
            limiter.acquirePermission();
            return limiter;
        }));
        all.put("Guava", () -> cached(tenant -> {
            RateLimiter limiter = RateLimiter.create((double) CALLS / PERIOD.toSeconds());
            limiter.tryAcquire();
            return limiter;
        }));
        return all;
    }

    private static Object sluice(Limit limit) {
        CountingRateLimiter limiter = new Endpoints()
                .add("counted", "/api/*", new Tier("counted", limit))
                .withRoomFor(2 * CALLERS)
                .open();
        Caller caller = Caller.byHeader(Tenants.alike(CALLERS), "/api/1");
        for (int i = 0; i < CALLERS; i++) {
            limiter.decide(caller.turn(i));
        }
        return limiter;
    }

    private static Object cached(Function<String, Object> opener) {
        Cache<String, Object> limiters =
                Caffeine.newBuilder().maximumSize(2L * CALLERS + 2).build(); // less than half full, so it tracks no order of use
        Tenants.alike(CALLERS).all().forEach(tenant -> limiters.put(tenant, opener.apply(tenant)));
        limiters.cleanUp();
        return limiters;
    }

    private static long held(Supplier<Object> contestant) {
        long before = live();
        Object made = contestant.get();
        long after = live();
        Reference.reachabilityFence(made);
        return after - before;
    }

    private static long live() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
