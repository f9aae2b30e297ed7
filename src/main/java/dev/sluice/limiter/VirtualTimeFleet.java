package dev.sluice.limiter;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.LoadSignal;
import dev.sluice.RateLimitListener;
import dev.sluice.exchange.CounterStore;
import dev.sluice.limiter.exchange.LoopDriver;
import dev.sluice.limiter.exchange.Synchroniser;
import dev.sluice.limits.Limits;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Limiters that count together in whatever time a clock tells, for studies of a day in a second: the code that serves
 * requests, with nothing running in the background. The store has to answer at once, as the one in memory does. For one
 * thread.
 */
public final class VirtualTimeFleet implements AutoCloseable {

    private static final long SWEEP_MILLIS = 5_000;
    /** Of all instances: fewer are not worth a look. */
    private static final long FEWEST_BEFORE_SWEEP = 10_000;
    /** What a waiting call is told to have waited between two looks; to the clock it takes no time. */
    private static final long WAIT_NANOS = 1_000_000;

    private static final LoadSignal IDLE = () -> 0;

    private final InstantSource clock;
    private final CounterStore store;
    private final List<Synchroniser> synchronisers = new ArrayList<>();
    private final List<CountingRateLimiter> limiters = new ArrayList<>();
    private long waitedNanos;
    private long nextSweepMillis;
    private long sweepAt = FEWEST_BEFORE_SWEEP;

    /**
     * Opens a fleet.
     *
     * @param store is closed with the fleet
     */
    public VirtualTimeFleet(Limits limits, InstantSource clock, CounterStore store, int size) {
        this(limits, clock, store, size, RateLimitListener.NONE);
    }

    /**
     * Opens a fleet of which somebody wants to hear.
     *
     * @param store is closed with the fleet
     * @param listener is told what all instances do
     */
    public VirtualTimeFleet(
            Limits limits, InstantSource clock, CounterStore store, int size, RateLimitListener listener) {
        this.clock = clock;
        this.store = store;
        for (int i = 0; i < size; i++) {
            Synchroniser synchroniser = new Synchroniser(
                    store, "instance-" + i, clock, this::nanos, LoopDriver.NONE, this::await, limits, listener);
            synchronisers.add(synchroniser);
            limiters.add(CountingRateLimiter.sharing(limits, synchroniser, listener, IDLE));
        }
    }

    private long nanos() {
        return TimeUnit.MILLISECONDS.toNanos(clock.millis()) + waitedNanos;
    }

    private void await(CompletableFuture<Boolean> news, long nanosAtMost) {
        long end = waitedNanos + nanosAtMost;
        while (!news.isDone() && waitedNanos < end) {
            waitedNanos += WAIT_NANOS;
            stepAll();
        }
    }

    private void stepAll() {
        for (Synchroniser synchroniser : synchronisers) {
            var unused = synchroniser.step();
        }
    }

    /**
     * Does what would have been done in the background by now. Called at least once for each hundredth of a second or
     * call.
     */
    public void step() {
        stepAll();
        if (clock.millis() >= nextSweepMillis) {
            nextSweepMillis = clock.millis() + SWEEP_MILLIS;
            if (counters() >= sweepAt) {
                limiters.forEach(CountingRateLimiter::sweep);
                sweepAt = Math.max(FEWEST_BEFORE_SWEEP, 3 * counters() / 2);
            }
        }
    }

    private long counters() {
        return limiters.stream().mapToLong(CountingRateLimiter::counters).sum();
    }

    /** What that instance decides. */
    public Decision decide(int instance, Call call) {
        return limiters.get(instance).decide(call);
    }

    @Override
    public void close() {
        limiters.forEach(CountingRateLimiter::close);
        store.close();
    }
}
