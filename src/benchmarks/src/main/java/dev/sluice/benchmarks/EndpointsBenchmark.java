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
 * Compares decisions with 10 endpoints to decisions with 1,000 endpoints. The comparison is fair, because both sides
 * have 10,000 counters, 1,000 paths, and the same tenants in the same order. They differ only in whether the paths
 * belong to 10 or to 1,000 endpoints. All endpoints are in use, so a linear search would be slow, as would a table
 * scattered across memory. With {@code SERVICE}, the paths resemble those of a real service. With {@code ENDINGS}, the
 * endpoints differ only in the end of the same segment, so hashing whole segments does not help.
 *
 * <pre>java -cp target/benchmarks.jar org.openjdk.jmh.Main EndpointsBenchmark</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EndpointsBenchmark {

    @Param({"10", "1000"})
    int endpoints;

    @Param({"SERVICE", "ENDINGS"})
    Kind kind;

    private CountingRateLimiter limiter;

    /** The kind of endpoints. */
    public enum Kind {
        SERVICE,
        ENDINGS
    }

    @Setup
    public void open() {
        limiter = (kind == Kind.SERVICE ? Endpoints.ofService(endpoints) : Endpoints.ofEndings(endpoints))
                .open();
    }

    @TearDown
    public void close() {
        limiter.close();
    }

    /** The calls of one thread. The 10,000 tenants call in random order, and each of them calls a single endpoint. */
    @State(Scope.Thread)
    public static class Calls {
        private Caller caller;

        @Setup
        public void begin(EndpointsBenchmark benchmark) {
            int count = benchmark.endpoints;
            String[] paths = benchmark.kind == Kind.SERVICE
                    ? Endpoints.pathsOfService(count)
                    : Endpoints.pathsOfEndings(count);
            caller = Caller.byHeader(Tenants.named(Spread.UNIFORM), paths);
        }
    }

    @Benchmark
    public Decision decide(Calls calls) {
        return limiter.decide(calls.caller.next());
    }
}
