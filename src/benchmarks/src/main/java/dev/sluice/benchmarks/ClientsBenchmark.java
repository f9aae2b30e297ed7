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
 * Compares decisions with 10, 10,000 and no clients in the file. The comparison is fair, because the calls and the
 * decisions are the same. In both files with clients, ten of the calling tenants are clients, and all other clients
 * never call. The file identifies clients either by their exact names or by a prefix and a star ({@code GLOBS}), and
 * all names have the same length.
 *
 * <pre>java -cp target/benchmarks.jar org.openjdk.jmh.Main ClientsBenchmark</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ClientsBenchmark {

    @Param({"0", "10", "10000"})
    int clients;

    @Param({"EXACT", "GLOBS"})
    Kind kind;

    private CountingRateLimiter limiter;

    /** How the file identifies clients. */
    public enum Kind {
        EXACT,
        GLOBS
    }

    @Setup
    public void open() {
        limiter = Endpoints.ofService(10).withClients(clients, kind == Kind.GLOBS).open();
    }

    @TearDown
    public void close() {
        limiter.close();
    }

    /** The calls of one thread. The 10,000 tenants call in random order, and each tenant calls one endpoint. */
    @State(Scope.Thread)
    public static class Calls {
        private Caller caller;

        @Setup
        public void begin() {
            caller = Caller.byHeader(Tenants.named(Spread.UNIFORM), Endpoints.pathsOfService(10));
        }
    }

    @Benchmark
    public Decision decide(Calls calls) {
        return limiter.decide(calls.caller.next());
    }
}
