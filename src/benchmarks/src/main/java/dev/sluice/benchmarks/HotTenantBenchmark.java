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
 * Compares threads that all call as the same tenant with the same number of threads that call as 10,000 tenants. The
 * counter of a single tenant is always in the CPU cache, but all threads change it concurrently. The total throughput
 * must not be lower than with many tenants. A caller that floods a service should use up its own limit, not the
 * service's CPU time. The benchmark measures calls when plenty of permits remain, and calls when none remain, so that
 * all are refused. The comparison is fair, because everything except the choice of tenant is the same, including the
 * creation of new strings.
 *
 * <pre>java -cp target/benchmarks.jar org.openjdk.jmh.Main HotTenantBenchmark -t 2</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HotTenantBenchmark {

    /**
     * The number of calls that a single thread makes first, so that compilation has finished before many threads occupy
     * all CPUs.
     */
    private static final int ALONE = 5_000_000;

    private static final int DAY = 24 * 60 * 60;

    @Param({"ONE", "UNIFORM"})
    Spread spread;

    private Tenants tenants;
    private CountingRateLimiter plenty;
    private CountingRateLimiter spent;

    @Setup
    public void open() {
        tenants = Tenants.named(spread);
        plenty = new Endpoints().add("hot", "/api/*", Endpoints.tier(10, Endpoints.PLENTY)).open();
        spent = new Endpoints().add("hot", "/api/*", Endpoints.tier(DAY, 1)).open();
        Caller caller = Caller.byHeader(tenants, "/api/1");
        for (int i = 0; i < ALONE; i++) {
            spent.decide(caller.next());
            plenty.decide(caller.next());
        }
    }

    @TearDown
    public void close() {
        plenty.close();
        spent.close();
    }

    /** The calls of one thread. */
    @State(Scope.Thread)
    public static class Calls {
        private Caller caller;

        @Setup
        public void begin(HotTenantBenchmark benchmark) {
            caller = Caller.byHeader(benchmark.tenants, "/api/1");
        }
    }

    @Benchmark
    public Decision admitted(Calls calls) {
        return plenty.decide(calls.caller.next());
    }

    @Benchmark
    public Decision refused(Calls calls) {
        return spent.decide(calls.caller.next());
    }
}
