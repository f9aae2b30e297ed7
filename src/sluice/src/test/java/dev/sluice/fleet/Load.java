package dev.sluice.fleet;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.RateLimiter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Threads that call limiters at random until they are told to stop, and count what they are answered. */
final class Load {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long SLOW_NANOS = 1_000_000;
    private static final double SECOND_MILLIS = 1_000;

    private final List<Thread> threads = new ArrayList<>();
    private final List<? extends RateLimiter> limiters;
    private final List<Call> calls;
    private final Duration pause;
    private final Map<Call, LongAdder> admitted = new ConcurrentHashMap<>();
    private final Map<RateLimiter, Map<Call, LongAdder>> admittedBy = new ConcurrentHashMap<>();
    private final Map<Long, LongAdder> admittedUntil = new ConcurrentSkipListMap<>();
    private final Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    private final LongAdder made = new LongAdder();
    private final LongAdder slow = new LongAdder();
    private volatile boolean running = true;

    private Load(List<? extends RateLimiter> limiters, List<Call> calls, Duration pause) {
        this.limiters = limiters;
        this.calls = calls;
        this.pause = pause;
    }

    /** Starts calling; each thread makes this pause after each call. */
    static Load start(List<? extends RateLimiter> limiters, int threadsEach, List<Call> calls, Duration pause) {
        Load load = new Load(limiters, calls, pause);
        for (RateLimiter limiter : limiters) {
            load.admittedBy.put(limiter, new ConcurrentHashMap<>());
            for (int i = 0; i < threadsEach; i++) {
                Thread thread = new Thread(() -> load.run(limiter), "caller");
                thread.setDaemon(true);
                load.threads.add(thread);
            }
        }
        load.threads.forEach(Thread::start);
        return load;
    }

    private void run(RateLimiter limiter) {
        try {
            while (running) {
                call(limiter, calls.get(ThreadLocalRandom.current().nextInt(calls.size())));
                LockSupport.parkNanos(pause.toNanos());
            }
        } catch (RuntimeException | Error e) {
            thrown.add(e);
        }
    }

    private void call(RateLimiter limiter, Call call) {
        long nowMillis = System.currentTimeMillis();
        long waits = waits();
        long ranBefore = THREADS.getCurrentThreadCpuTime();
        long before = System.nanoTime();
        Decision decision = limiter.decide(call);
        long took = System.nanoTime() - before;
        boolean wasOnlyStarvedOfCpu = waits() == waits && THREADS.getCurrentThreadCpuTime() - ranBefore <= SLOW_NANOS;
        made.increment();
        if (took > SLOW_NANOS && !wasOnlyStarvedOfCpu) {
            slow.increment();
        }
        if (decision.admitted()) {
            increment(admitted, call);
            increment(admittedBy.get(limiter), call);
            increment(admittedUntil, Math.round((nowMillis + decision.resetAfterMillis()) / SECOND_MILLIS));
        }
    }

    /** How often this thread has waited for anything. */
    private static long waits() {
        ThreadInfo self = THREADS.getThreadInfo(Thread.currentThread().getId());
        return self.getWaitedCount() + self.getBlockedCount();
    }

    private static <K> void increment(Map<K, LongAdder> counts, K key) {
        counts.computeIfAbsent(key, first -> new LongAdder()).increment();
    }

    /** Waits for the last calls to be answered. */
    Load stop() {
        running = false;
        threads.forEach(thread -> {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return this;
    }

    List<Throwable> thrown() {
        return List.copyOf(thrown);
    }

    long made() {
        return made.sum();
    }

    /**
     * How many calls in a hundred were answered after more than a millisecond, because they waited for something or had
     * much to do: a busy machine may also keep the processor from a thread.
     */
    double percentSlow() {
        return 100.0 * slow.sum() / made.sum();
    }

    long admitted(Call call) {
        return sum(admitted, call);
    }

    long admitted() {
        return admitted.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /** The most that one limiter has admitted of a call. */
    long mostAdmittedByOne(Call call) {
        return limiters.stream()
                .mapToLong(limiter -> sum(admittedBy.get(limiter), call))
                .max()
                .orElseThrow();
    }

    private static long sum(Map<Call, LongAdder> counts, Call call) {
        LongAdder count = counts.get(call);
        return count == null ? 0 : count.sum();
    }

    /** What was admitted in each window of a second, or of whole seconds, in their order. */
    List<Long> admittedInWindows() {
        return admittedUntil.values().stream().map(LongAdder::sum).toList();
    }
}
