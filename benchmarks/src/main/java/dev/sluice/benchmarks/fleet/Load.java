package dev.sluice.benchmarks.fleet;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Plays arrivals to the instances of a contestant, on threads like those of a server. Open-loop: a call is due when it is due, and
 * if no thread is free by then its wait is part of its time. Calls that have not begun when the time is over are dropped, and counted.
 */
final class Load implements AutoCloseable {

    private static final int THREADS = 32;
    private static final long JUST_BEGUN_MILLIS = 500;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    /** Plays as if begun at that moment, in milliseconds since 1970; calls that would have come by now are left out. */
    Played play(Arrivals arrivals, long startMillis, List<Instance> fleet, String[][] tenants) {
        Played played = Played.from(arrivals, startMillis);
        AtomicInteger next = new AtomicInteger();
        List<Future<?>> workers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            workers.add(threads.submit(() -> work(next, played, fleet, tenants)));
        }
        try {
            for (Future<?> worker : workers) {
                worker.get();
            }
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException("a limiter failed", e);
        }
        return played;
    }

    /** Waits until the next window begins, if none has just begun; when it did, in milliseconds since 1970. */
    static long awaitWindow() {
        long now = System.currentTimeMillis();
        long begun = Rule.windowOf(now) * Rule.PERIOD_MILLIS;
        if (now - begun < JUST_BEGUN_MILLIS) {
            return begun;
        }
        Pause.millis(begun + Rule.PERIOD_MILLIS - now);
        return begun + Rule.PERIOD_MILLIS;
    }

    private static void work(AtomicInteger next, Played played, List<Instance> fleet, String[][] tenants) {
        Arrivals arrivals = played.arrivals;
        long end = played.startNanos + arrivals.windows * Rule.PERIOD.toNanos();
        for (int call = next.getAndIncrement(); call < arrivals.size; call = next.getAndIncrement()) {
            Instance instance = fleet.get(arrivals.instance(call));
            String tenant = tenants[arrivals.window(call)][arrivals.tenant(call)];
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
