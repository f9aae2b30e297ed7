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
 * A decision beside the least that any limiter in memory does: a look-up in a Caffeine cache by the tenant's name, and
 * an atomic increment. Both meet the same calls of 10,000 tenants, each name a new string whose hash nobody has asked
 * for, and both have a cache of the same size that holds all tenants.
 *
 * <p>The comparison is against us: beside the same look-up and count, a decision finds one of 100 endpoints by
 * method and path, reads the clock, turns to the next window when one ends, never passes a threshold and returns a
 * {@link Decision} with figures for headers. {@code stringsAlone} is what the new strings cost without anybody looking
 * them up: to be taken off both when allocation is counted, and left in when times are compared.
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

    /** One thread's calls. */
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
