package dev.sluice.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sluice.Decision;
import dev.sluice.internal.limiter.CountingRateLimiter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
 * Compares a decision with the minimum work of any in-memory limiter: a lookup in a Caffeine cache by the tenant's
 * name, and an atomic increment. Both sides receive the same calls from 10,000 tenants. Each call passes the tenant's
 * name as a new string, whose hash has not been computed yet. The caches of both sides have the same size, and are
 * large enough for all tenants.
 *
 * <p>The comparison favours the cache. In addition to the same lookup and increment, a decision finds one of 100
 * endpoints by method and path, reads the clock, starts a new window when one ends, never exceeds a threshold, and
 * returns a {@link Decision} with figures for headers. The {@code stringsAlone} benchmark measures the cost of the new
 * strings without any lookup. Subtract it from both sides when comparing allocation, but not when comparing times.
 *
 * <pre>java -cp target/benchmarks.jar org.openjdk.jmh.Main DecideBenchmark -prof gc -t 1</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DecideBenchmark {

    @Param({"ZIPF", "UNIFORM"})
    Spread spread;

    private Tenants tenants;
    private CountingRateLimiter limiter;
    private Cache<String, AtomicLong> cache;

    @Setup
    public void open() {
        tenants = Tenants.named(spread);
        limiter = Endpoints.ofService(100).open();
        cache = Caffeine.newBuilder().maximumSize(100_000).build();
        tenants.all().forEach(tenant -> cache.put(tenant, new AtomicLong()));
    }

    @TearDown
    public void close() {
        limiter.close();
    }

    /** The calls of one thread. */
    @State(Scope.Thread)
    public static class Calls {
        private Caller caller;

        @Setup
        public void begin(DecideBenchmark benchmark) {
            caller = Caller.byHeader(benchmark.tenants, Endpoints.someServicePaths());
        }
    }

    @Benchmark
    public Decision sluice(Calls calls) {
        return limiter.decide(calls.caller.next());
    }

    @Benchmark
    public long bareCaffeine(Calls calls) {
        AtomicLong counter = cache.getIfPresent(calls.caller.next().header("X-Org-Id"));
        return counter == null ? -1 : counter.incrementAndGet();
    }

    @Benchmark
    public String stringsAlone(Calls calls) {
        return calls.caller.next().header("X-Org-Id");
    }
}
