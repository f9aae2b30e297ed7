package dev.sluice.benchmarks.fleet.steady;

import dev.sluice.benchmarks.fleet.rig.Instance;
import dev.sluice.benchmarks.fleet.rig.Pause;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Plays calls to the instances of a contestant, on threads like those of a server. The load is open-loop: if no thread
 * is free when a call is due, the time until one is free is part of the call's time. Calls that have not begun by the
 * end of the play are counted as dropped.
 */
final class SteadyLoad implements AutoCloseable {

    private static final int THREADS = 32;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    /**
     * Starts sending the calls. Each call is sent to its instance when it is due, with the name of its tenant. Returns
     * immediately.
     */
    List<Future<?>> start(Played played, List<Instance> fleet, Names names) {
        AtomicInteger next = new AtomicInteger();
        List<Future<?>> workers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            workers.add(threads.submit(() -> work(next, played, fleet, names)));
        }
        return workers;
    }

    static void await(List<Future<?>> workers) {
        try {
            for (Future<?> worker : workers) {
                worker.get();
            }
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException("a limiter failed", e);
        }
    }

    private static void work(AtomicInteger next, Played played, List<Instance> fleet, Names names) {
        Arrivals arrivals = played.arrivals;
        long end = played.startNanos + arrivals.windows * Article.PERIOD.toNanos();
        for (int call = next.getAndIncrement(); call < arrivals.size; call = next.getAndIncrement()) {
            Instance instance = fleet.get(arrivals.instance(call));
            String tenant = names.of(arrivals.window(call), arrivals.tenant(call));
            long due = played.startNanos + arrivals.nanos(call);
            if (due < played.openedNanos) {
                continue;
            }
            Pause.untilNanos(due);
            long begun = System.nanoTime();
            if (begun >= end) {
                return;
            }
            boolean admitted = instance.admits(tenant);
            played.note(call, begun - due, System.nanoTime() - begun, admitted);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
