package dev.sluice.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sluice.Decision;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import io.github.bucket4j.Bucket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Compares, in one process, a decision by each algorithm with a decision by fixed windows. All algorithms receive the
 * same calls from 10,000 tenants. No call is refused, because the thresholds are unreachable. A log cannot store an
 * unlimited number of calls, so its period is short, and it drops old calls in time. Each caller's log contains about
 * five calls. This is typical for logs, which are used, for example, for password attempts. (With fifty calls in each
 * of 10,000 logs, the logs would not fit into the CPU caches, and the figures would measure memory speed.)
 *
 * <p>The {@code bucket4j} benchmark uses a token bucket from the Bucket4j library. It looks up the bucket in a Caffeine
 * cache by the tenant's name, because a decision includes the same lookup. The comparison favours the library, because
 * a decision also finds its endpoint by method and path, and returns figures for headers.
 *
 * <pre>java -cp target/benchmarks.jar org.openjdk.jmh.Main AlgorithmsBenchmark -t 1</pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AlgorithmsBenchmark {

    private static final Duration PERIOD = Duration.ofSeconds(10);

    /** The algorithms, all with the same period. */
    public enum Algorithm {
        FIXED_WINDOW(new Limit.FixedWindow(Endpoints.PLENTY, PERIOD)),
        SLIDING_WINDOW(new Limit.SlidingWindow(Endpoints.PLENTY, PERIOD, 1)),
        FOUR_FRAMES(new Limit.SlidingWindow(Endpoints.PLENTY, PERIOD, 4)),
        SLIDING_LOG(new Limit.SlidingLog(Limit.SlidingLog.MAX_LOGGED, Duration.ofMillis(10))),
        TOKEN_BUCKET(new Limit.TokenBucket(Endpoints.PLENTY, PERIOD, Endpoints.PLENTY)),
        LEAKY_BUCKET(new Limit.LeakyBucket(Endpoints.PLENTY, PERIOD, 0, Duration.ZERO));

        private final Limit limit;

        Algorithm(Limit limit) {
            this.limit = limit;
        }
    }

    /** A limiter that uses the measured algorithm. */
    @State(Scope.Benchmark)
    public static class Sluice {

        @Param
        Algorithm algorithm;

        private CountingRateLimiter limiter;

        @Setup
        public void open() {
            limiter = new Endpoints()
                    .add("compared", "/api/*", new Tier("compared", algorithm.limit))
                    .open();
        }

        @TearDown
        public void close() {
            limiter.close();
        }
    }

    /** A Bucket4j token bucket for each tenant. */
    @State(Scope.Benchmark)
    public static class Buckets {

        private final Tenants tenants = Tenants.named(Spread.ZIPF);
        private final Cache<String, Bucket> buckets =
                Caffeine.newBuilder().maximumSize(100_000).build();

        @Setup
        public void open() {
            tenants.all().forEach(tenant -> buckets.put(tenant, bucket()));
        }

        private static Bucket bucket() {
            return Bucket.builder()
                    .addLimit(limit -> limit.capacity(Endpoints.PLENTY).refillGreedy(Endpoints.PLENTY, PERIOD))
                    .build();
        }
    }

    /** The calls of one thread. */
    @State(Scope.Thread)
    public static class Calls {
        private final Caller caller = Caller.byHeader(Tenants.named(Spread.ZIPF), "/api/1");
    }

    @Benchmark
    public Decision decide(Sluice sluice, Calls calls) {
        return sluice.limiter.decide(calls.caller.next());
    }

    @Benchmark
    public boolean bucket4j(Buckets buckets, Calls calls) {
        Bucket bucket = buckets.buckets.getIfPresent(calls.caller.next().header("X-Org-Id"));
        return bucket != null && bucket.tryConsume(1);
    }
}
