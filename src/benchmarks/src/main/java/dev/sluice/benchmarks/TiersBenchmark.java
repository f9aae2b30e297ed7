package dev.sluice.benchmarks;

import dev.sluice.Decision;
import dev.sluice.internal.limiter.CountingRateLimiter;
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
 * Measures the cost of additional limits. The same calls are subject to one tier, to two tiers of one endpoint, or to
 * two tiers of each of two endpoints. This benchmark has no goal. The figures show whether an additional tier costs
 * about the same as the first.
 *
 * <pre>java -cp target/benchmarks.jar org.openjdk.jmh.Main TiersBenchmark -prof gc</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TiersBenchmark {

    @Param
    Layout layout;

    private final Tenants tenants = Tenants.named(Spread.ZIPF);
    private CountingRateLimiter limiter;

    /** The limits that apply to a call. */
    public enum Layout {
        ONE_TIER,
        TWO_TIERS,
        TWO_ENDPOINTS_OF_TWO_TIERS
    }

    @Setup
    public void open() {
        Endpoints endpoints = new Endpoints();
        if (layout == Layout.ONE_TIER) {
            endpoints.add("one", "/api/*", Endpoints.tier(10, Endpoints.PLENTY));
        } else {
            endpoints.add(
                    "two", "/api/*", Endpoints.tier(10, Endpoints.PLENTY), Endpoints.tier(3600, Endpoints.PLENTY));
        }
        if (layout == Layout.TWO_ENDPOINTS_OF_TWO_TIERS) {
            endpoints.add(
                    "all", "/**", Endpoints.tier(1, Endpoints.PLENTY), Endpoints.tier(60, Endpoints.PLENTY));
        }
        limiter = endpoints.open();
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
        public void begin(TiersBenchmark benchmark) {
            caller = Caller.byHeader(benchmark.tenants, "/api/1");
        }
    }

    @Benchmark
    public Decision decide(Calls calls) {
        return limiter.decide(calls.caller.next());
    }
}
