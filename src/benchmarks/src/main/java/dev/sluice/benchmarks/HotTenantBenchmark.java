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
 * Compares threads that all call as one tenant with as many threads that call as 10,000. The counter of one tenant is
 * always in the CPU cache, but all threads change it at once. Together, this must not make calls slower, because a
 * caller who floods a service should pay with its own limit rather than with the service's CPU time. It is measured
 * with plenty of permits left, and with none, so that each call is refused. The comparison is fair, because everything
 * but the choice of the tenant is the same, including new strings.
 *
 * <pre>java -cp target/benchmarks.jar org.openjdk.jmh.Main HotTenantBenchmark -t 2</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HotTenantBenchmark {

    /**
     * Calls of a single thread before all others, so that the compiler has done its work before many threads leave it
     * no CPU.
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

    /** One thread's calls. */
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
