package dev.sluice.benchmarks.fleet.tenants;

import dev.sluice.benchmarks.fleet.rig.MeasuredCall;
import dev.sluice.benchmarks.fleet.rig.Contestant;
import dev.sluice.benchmarks.fleet.rig.Crowd;
import dev.sluice.benchmarks.fleet.rig.Figure;
import dev.sluice.benchmarks.fleet.rig.Fleet;
import dev.sluice.benchmarks.fleet.rig.ExperimentPart;
import dev.sluice.benchmarks.fleet.rig.Pause;
import dev.sluice.benchmarks.fleet.rig.Usage;
import dev.sluice.benchmarks.fleet.rig.MeasuredWaits;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Plays the calls of a very large number of callers, only a few of whom are active. Prints the cost in memory and the
 * cost for Redis.
 */
public final class TenantsPart implements ExperimentPart {

    private static final Duration MEASURED = Duration.ofSeconds(30);
    /** The time after which unused counters have become dormant. */
    private static final long SETTLING_MILLIS = 12_000;

    private static final int THREADS = 64;

    @Override
    public List<String> titles(String words) {
        return scenes(words).map(TenantsScene::title).toList();
    }

    /** The scenes to play. The largest scene is included only if it is requested. */
    private static Stream<TenantsScene> scenes(String words) {
        return TenantsScene.all().stream()
                .filter(scene -> scene.title().contains(words))
                .filter(scene -> scene.callers() <= 1_000_000 || !words.isEmpty());
    }

    @Override
    public List<Figure> play(String words) {
        List<Figure> figures = new ArrayList<>();
        try (Crowd crowd = new Crowd()) {
            scenes(words).forEach(scene -> figures.addAll(play(scene, crowd)));
        }
        return figures;
    }

    private static List<Figure> play(TenantsScene scene, Crowd crowd) {
        System.out.printf("%n%s%n", scene.title());
        TenantsScene.RULE.awaitTimeInWindows(Duration.ofMinutes(15));
        try (Fleet fleet = new Fleet(Contestant.exactWithAtMost(scene.maximumCounters()), TenantsScene.RULE, scene.instances())) {
            long heapEmpty = heap();
            long redisEmpty = fleet.redisBytes();
            long begun = System.nanoTime();
            Usage before = fleet.usage();
            callOnce(scene, fleet);
            double seconds = (System.nanoTime() - begun) / 1e9;
            Usage once = fleet.usage().since(before);
            int inMemory = Math.min(scene.callers(), scene.instances() * scene.maximumCounters());
            print("once each", scene.callers(), seconds, once);
            Pause.millis(SETTLING_MILLIS);
            System.out.printf(
                    Locale.ROOT,
                    "  dormant: %d bytes of heap for each of %,d counters in memory, %d bytes of Redis for each caller%n",
                    (heap() - heapEmpty) / inMemory,
                    inMemory,
                    (fleet.redisBytes() - redisEmpty) / scene.callers());
            return active(scene, crowd, fleet);
        }
    }

    private static List<Figure> active(TenantsScene scene, Crowd crowd, Fleet fleet) {
        long heapDormant = heap();
        Usage before = fleet.usage();
        long start = System.nanoTime() + 100_000_000;
        List<MeasuredCall> calls =
                crowd.start(scene.plan(MEASURED), names(scene), fleet.instances(), start).await();
        Usage used = fleet.usage().since(before);
        print("active", calls.size(), MEASURED.toSeconds(), used);
        MeasuredWaits waits = MeasuredWaits.of(calls.stream().mapToDouble(MeasuredCall::micros).toArray());
        long[] admitted = new long[TenantsScene.OVER];
        calls.stream()
                .filter(call -> call.admitted() && call.planned().caller() < TenantsScene.OVER)
                .forEach(call -> admitted[call.planned().caller()]++);
        long over = 0;
        long early = calls.stream()
                .filter(call -> !call.admitted() && call.planned().caller() >= TenantsScene.OVER)
                .count();
        for (long number : admitted) {
            over = Math.max(over, number + 1 - TenantsScene.RULE.threshold()); // each caller has called once before
            early += Math.max(0, TenantsScene.RULE.threshold() - 1 - number);
        }
        long counters = calls.stream()
                .map(call -> List.of(call.planned().caller(), call.planned().instance()))
                .distinct()
                .count();
        System.out.printf(
                Locale.ROOT,
                "  %.1f %% of the calls waited; over, most %d; early %d; %d more bytes of heap for each of %,d counters%n",
                waits.percent(),
                over,
                early,
                (heap() - heapDormant) / counters,
                counters);
        return List.of(
                new Figure(scene.title() + ": most calls beyond a limit", over, 0),
                new Figure(scene.title() + ": calls refused early", early, 0));
    }

    private static void print(String what, long calls, double seconds, Usage used) {
        System.out.printf(
                Locale.ROOT,
                "  %s: %,.0f calls/s, %.2f commands per call, %.1f µs of Redis per call, %,.0f kB/s sent%n",
                what,
                calls / seconds,
                (double) used.commands() / calls,
                1e6 * used.cpuSeconds() / calls,
                used.sentBytes() / seconds / 1000);
    }

    /** Makes one call per caller, as fast as possible. */
    private static void callOnce(TenantsScene scene, Fleet fleet) {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            AtomicInteger next = new AtomicInteger();
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                workers.add(threads.submit(() -> {
                    List<String> names = names(scene);
                    for (int caller = next.getAndIncrement(); caller < scene.callers(); caller = next.getAndIncrement()) {
                        fleet.instances().get(caller % scene.instances()).admits(names.get(caller));
                    }
                }));
            }
            for (Future<?> worker : workers) {
                worker.get();
            }
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException("a limiter failed", e);
        } finally {
            threads.shutdownNow();
        }
    }

    /** The names of the callers. The names are created when callers make calls, as in a server. */
    private static List<String> names(TenantsScene scene) {
        return new AbstractList<>() {
            @Override
            public String get(int caller) {
                return "caller-" + caller;
            }

            @Override
            public int size() {
                return scene.callers();
            }
        };
    }

    /** The heap in use after a garbage collection. */
    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
