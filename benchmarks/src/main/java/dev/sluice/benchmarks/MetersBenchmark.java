package dev.sluice.benchmarks;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.Subject;
import dev.sluice.metrics.SluiceMeters;
import dev.sluice.tier.Tier;
import dev.sluice.traffic.CoarseClock;
import dev.sluice.traffic.Traffic;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What the meters add to a decision: the counter of its outcome, and who calls most. Calls of 1,000 tenants, or each of
 * a tenant that was never seen.
 *
 * <pre>java -cp target/benchmarks.jar org.openjdk.jmh.Main MetersBenchmark -prof gc -t 1</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(org.openjdk.jmh.annotations.Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MetersBenchmark {

    private static final int TENANTS = 1_000;
    private static final Call CALL = new Call() {
        @Override
        public String method() {
            return "GET";
        }

        @Override
        public String path() {
            return "/";
        }

        @Override
        public String ip() {
            return "192.0.2.1";
        }
    };

    @Param({"ADMITTED", "REFUSED"})
    Outcome outcome;

    private final Traffic traffic = new Traffic(CoarseClock.following(InstantSource.system()));
    private final SluiceMeters meters = new SluiceMeters(new SimpleMeterRegistry());
    private final Tier tier = Endpoints.tier(10, Endpoints.PLENTY);
    private final Endpoint endpoint =
            new Endpoint("get-product", Set.of(), "/", List.of("tenant"), Mode.ENFORCE, List.of(tier));
    private final Decision[] decisions = new Decision[TENANTS];

    @Setup
    public void decide() {
        meters.read(traffic);
        for (int i = 0; i < TENANTS; i++) {
            decisions[i] = decision("tenant-" + i);
        }
    }

    private Decision decision(String tenant) {
        List<Subject> who = List.of(new Subject("tenant", "header:X-Org-Id", tenant));
        return new Decision(outcome, endpoint, tier, who, 7, 5_000, 0, null);
    }

    /** One thread's calls. */
    @State(Scope.Thread)
    public static class Next {
        private int next;
    }

    @Benchmark
    public void meters(Next calls) {
        tell(decisions[calls.next++ % TENANTS]);
    }

    @Benchmark
    public void countersAlone(Next calls) {
        meters.onDecision(CALL, decisions[calls.next++ % TENANTS]);
    }

    /** With what it costs to make a name and a decision. */
    @Benchmark
    public void madeUpTenants(Next calls) {
        tell(decision("made-up-" + calls.next++));
    }

    @Benchmark
    public Decision madeUpTenantsAlone(Next calls) {
        return decision("made-up-" + calls.next++);
    }

    private void tell(Decision decision) {
        traffic.onDecision(CALL, decision);
        meters.onDecision(CALL, decision);
    }
}
