package dev.sluice.benchmarks.fleet.rig;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * A pool of threads that make each call when it is due, without waiting for earlier calls. There are enough threads
 * that a waiting call does not delay other calls. Thread-safe.
 */
public final class Crowd implements AutoCloseable {

    private static final int THREADS = 256;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    /** A play that is in progress. */
    public record Play(List<Future<List<MeasuredCall>>> workers) {

        /** Waits until all calls have ended. */
        public List<MeasuredCall> await() {
            List<MeasuredCall> answered = new ArrayList<>();
            try {
                for (Future<List<MeasuredCall>> worker : workers) {
                    answered.addAll(worker.get());
                }
            } catch (ExecutionException | InterruptedException e) {
                throw new IllegalStateException("a limiter failed", e);
            }
            return answered;
        }
    }

    /** Creates names for the given number of callers. */
    public static List<String> callers(int count) {
        return IntStream.range(0, count).mapToObj(caller -> "caller-" + caller).toList();
    }

    /**
     * Starts making calls, and returns immediately.
     *
     * @param calls the calls, in order
     * @param names the names of the callers
     * @param startNanos the start of the play, in nano time
     */
    public Play start(List<PlannedCall> calls, List<String> names, List<Instance> instances, long startNanos) {
        AtomicInteger next = new AtomicInteger();
        List<Future<List<MeasuredCall>>> workers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            workers.add(threads.submit(() -> work(next, calls, names, instances, startNanos)));
        }
        return new Play(workers);
    }

    private static List<MeasuredCall> work(
            AtomicInteger next, List<PlannedCall> calls, List<String> names, List<Instance> fleet, long startNanos) {
        List<MeasuredCall> answered = new ArrayList<>();
        for (int i = next.getAndIncrement(); i < calls.size(); i = next.getAndIncrement()) {
            PlannedCall call = calls.get(i);
            String caller = names.get(call.caller());
            answered.add(make(call, caller, fleet.get(call.instance()), startNanos));
        }
        return answered;
    }

    private static MeasuredCall make(PlannedCall call, String caller, Instance instance, long startNanos) {
        Pause.untilNanos(startNanos + call.dueNanos());
        long begun = System.nanoTime();
        boolean admitted = instance.admits(caller);
        return new MeasuredCall(call, begun - startNanos, System.nanoTime() - startNanos, admitted);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
