package dev.sluice.benchmarks;

import com.sun.management.ThreadMXBean;
import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.RateLimitListener;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.metrics.SluiceMeters;
import dev.sluice.tier.Tier;
import dev.sluice.traffic.CoarseClock;
import dev.sluice.traffic.Traffic;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.infra.Blackhole;

/**
 * The CPU time and allocated bytes that meters add to a decision, for one and two threads and various numbers of
 * callers. A single limiter runs in turns of a few milliseconds, which alternate between running with and without
 * meters. The result is the median of the differences between neighbouring turns. Other load on the machine therefore
 * affects both kinds of turns equally. Each case runs in its own JVM and ends within a minute.
 *
 * <p>Both kinds of turns must use the same limiter. With two threads, two identical limiters can differ by up to 200
 * ns, depending on where their counters are in memory.
 *
 * <p>In the cases with refusals, all calls except each caller's first are refused. The meters then also count the
 * refusals and record their times.
 *
 * <pre>java -cp target/benchmarks.jar dev.sluice.benchmarks.MetersCost [words of a case]</pre>
 */
public final class MetersCost {

    private static final int CALLS = 50_000;
    private static final Duration WARM_UP = Duration.ofSeconds(8);
    private static final Duration MEASURED = Duration.ofSeconds(20);
    private static final int GOAL_NANOS = 50;
    private static final int DAY = 24 * 60 * 60;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final List<Case> CASES = cases();

    private final Blackhole results =
            new Blackhole("Today's password is swordfish. I understand instantiating Blackholes directly is dangerous.");
    private final ExecutorService threads;
    private final List<Worker> workers = new ArrayList<>();
    private final SwitchedMeters meters = new SwitchedMeters();

    private record Case(int tenants, int threads, boolean refused) {

        @Override
        public String toString() {
            return tenants + (tenants == 1 ? " tenant, " : " tenants, ") + threads + (threads == 1 ? " thread" : " threads")
                    + (refused ? ", refused" : "");
        }
    }

    /** The cost of a call. */
    private record Cost(double nanos, double bytes) {

        Cost minus(Cost other) {
            return new Cost(nanos - other.nanos, bytes - other.bytes);
        }

        static Cost median(List<Cost> costs) {
            return new Cost(AllBenchmarks.median(costs, Cost::nanos), AllBenchmarks.median(costs, Cost::bytes));
        }

        private static double mean(List<Cost> costs, ToDoubleFunction<Cost> figure) {
            return costs.stream().mapToDouble(figure).average().orElseThrow();
        }
    }

    private static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (boolean refused : new boolean[] {false, true}) {
            for (int tenants : new int[] {1, 1_000, 10_000}) {
                for (int threads = 1; threads <= 2; threads++) {
                    cases.add(new Case(tenants, threads, refused));
                }
            }
        }
        return cases;
    }

    private MetersCost(Case played) {
        threads = Executors.newFixedThreadPool(played.threads);
        Tenants tenants = Tenants.zipf(played.tenants);
        Tier tier = played.refused ? Endpoints.tier(DAY, 1) : Endpoints.tier(10, Endpoints.PLENTY);
        CountingRateLimiter limiter = Endpoints.ofService(100, tier).open(meters);
        for (int i = 0; i < played.threads; i++) {
            workers.add(new Worker(limiter, tenants));
        }
    }

    /**
     * The listeners of a service with meters: one counts outcomes, and one records the busiest callers. The listeners
     * can be switched off.
     */
    private static final class SwitchedMeters implements RateLimitListener {

        private final Traffic traffic = new Traffic(CoarseClock.following(InstantSource.system()));
        private final SluiceMeters meters = new SluiceMeters(new SimpleMeterRegistry());
        /** Changed only between turns. */
        private boolean on;

        private SwitchedMeters() {
            meters.read(traffic);
        }

        @Override
        public void onDecision(Call call, Decision decision) {
            if (on) {
                traffic.onDecision(call, decision);
                meters.onDecision(call, decision);
            }
        }
    }

    /** The calls of one thread. */
    private final class Worker implements Callable<Cost> {

        private final CountingRateLimiter limiter;
        private final Caller caller;

        private Worker(CountingRateLimiter limiter, Tenants tenants) {
            this.limiter = limiter;
            this.caller = Caller.byHeader(tenants, Endpoints.someServicePaths());
        }

        @Override
        public Cost call() {
            long bytes = THREADS.getCurrentThreadAllocatedBytes();
            long nanos = THREADS.getCurrentThreadCpuTime();
            for (int i = 0; i < CALLS; i++) {
                results.consume(limiter.decide(caller.next()));
            }
            return new Cost(
                    (double) (THREADS.getCurrentThreadCpuTime() - nanos) / CALLS,
                    (double) (THREADS.getCurrentThreadAllocatedBytes() - bytes) / CALLS);
        }
    }

    private Cost turn(boolean metered) throws Exception {
        meters.on = metered;
        List<Cost> costs = new ArrayList<>();
        for (Future<Cost> cost : threads.invokeAll(workers)) {
            costs.add(cost.get());
        }
        return new Cost(Cost.mean(costs, Cost::nanos), Cost.mean(costs, Cost::bytes));
    }

    private void play(Case played) throws Exception {
        List<Cost> bare = new ArrayList<>();
        List<Cost> added = new ArrayList<>();
        long start = System.nanoTime();
        for (long turn = 0; System.nanoTime() - start < WARM_UP.plus(MEASURED).toNanos(); turn++) {
            boolean bareFirst = turn % 2 == 0;
            Cost first = turn(!bareFirst);
            Cost second = turn(bareFirst);
            if (System.nanoTime() - start >= WARM_UP.toNanos()) {
                bare.add(bareFirst ? first : second);
                added.add(bareFirst ? second.minus(first) : first.minus(second));
            }
        }
        threads.shutdown();
        System.out.printf(
                "%-34s %12.0f %12.0f %12.1f %8d  %s%n",
                played,
                Cost.median(bare).nanos,
                Cost.median(added).nanos,
                Cost.mean(added, Cost::bytes),
                added.size(),
                Cost.median(added).nanos <= GOAL_NANOS ? "pass" : "MISSED");
    }

    /**
     * Arguments: words from the names of the cases to measure, or none for all cases; {@code --case N} in the JVM of a
     * case.
     */
    public static void main(String[] args) throws Exception {
        if (args.length == 2 && args[0].equals("--case")) {
            Case played = CASES.get(Integer.parseInt(args[1]));
            new MetersCost(played).play(played);
            System.exit(0);
        }
        String words = String.join(" ", args);
        System.out.printf("%-34s %12s %12s %12s %8s%n", "", "without, ns", "added, ns", "added, bytes", "pairs");
        for (int i = 0; i < CASES.size(); i++) {
            if (CASES.get(i).toString().contains(words)) {
                fork(i);
            }
        }
    }

    private static void fork(int number) throws Exception {
        ProcessBuilder fork = AllBenchmarks.fork(MetersCost.class, "--case", Integer.toString(number));
        int status = fork.inheritIO().start().waitFor();
        if (status != 0) {
            throw new IllegalStateException("the case " + CASES.get(number) + " ended with status " + status);
        }
    }
}
