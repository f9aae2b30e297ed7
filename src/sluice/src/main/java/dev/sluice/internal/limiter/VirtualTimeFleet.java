package dev.sluice.internal.limiter;

import dev.sluice.Block;
import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.LoadSignal;
import dev.sluice.RateLimitListener;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.limiter.block.KnownBlock;
import dev.sluice.internal.limiter.counter.PendingPolicy;
import dev.sluice.internal.limiter.sync.ExchangeLog;
import dev.sluice.internal.limiter.sync.StoreClock;
import dev.sluice.internal.limiter.sync.Synchroniser;
import dev.sluice.limits.Limits;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * A fleet of limiters in virtual time that can simulate a day in a second. It runs the production code without
 * background threads. The store must reply immediately, as the in-memory store does. Not thread-safe.
 */
public final class VirtualTimeFleet implements AutoCloseable {

    private static final long SWEEP_MILLIS = 5_000;
    /** The minimum number of counters, in all instances together, that makes a sweep worthwhile. */
    private static final long FEWEST_BEFORE_SWEEP = 10_000;
    /**
     * The time by which the nanosecond clock advances between two checks of a pending call. The wall clock does not
     * advance.
     */
    private static final long WAIT_NANOS = 1_000_000;

    /** The time between a call and the next background step. */
    private static final long SOON_MILLIS = 10;
    /** The number of intervals without a call after which nothing remains to be exchanged. */
    private static final int INTERVALS = 20;

    private static final LoadSignal IDLE = () -> 0;

    private final InstantSource clock;
    private final CounterStore store;
    private final long everyMillis;
    private final List<Synchroniser> synchronisers = new ArrayList<>();
    private final List<CountingRateLimiter> limiters = new ArrayList<>();
    private long waitedNanos;
    private long nextSweepMillis;
    private long sweepAt = FEWEST_BEFORE_SWEEP;

    /**
     * Opens a fleet.
     *
     * @param store the store, which is closed with the fleet
     */
    public VirtualTimeFleet(Limits limits, InstantSource clock, CounterStore store, int size) {
        this.clock = clock;
        this.store = store;
        this.everyMillis = Math.max(SOON_MILLIS, limits.shortestInterval().toMillis());
        for (int i = 0; i < size; i++) {
            Synchroniser synchroniser = new Synchroniser(
                    store,
                    "instance-" + i,
                    new StoreClock(clock, this::nanos, this::clockNanos),
                    Synchroniser.Driver.NONE,
                    new Pending(),
                    limits,
                    RateLimitListener.NONE,
                    new ExchangeLog());
            synchronisers.add(synchroniser);
            limiters.add(CountingRateLimiter.sharing(limits, synchroniser, RateLimitListener.NONE, IDLE));
        }
    }

    private long nanos() {
        return clockNanos() + waitedNanos;
    }

    private long clockNanos() {
        return TimeUnit.MILLISECONDS.toNanos(clock.millis());
    }

    private final class Pending implements PendingPolicy {

        @Override
        public void await(CompletableFuture<Boolean> news, long nanosAtMost) {
            long began = waitedNanos;
            while (!news.isDone() && waitedNanos < began + nanosAtMost) {
                waitedNanos += WAIT_NANOS;
                stepAll();
            }
        }

        @Override
        public boolean beginAwaitingOutcomes(boolean isMadeUp) {
            return false; // no call ends while a different call is pending
        }
    }

    private void stepAll() {
        for (Synchroniser synchroniser : synchronisers) {
            var unused = synchroniser.step();
        }
    }

    /**
     * Visits each moment between two calls at which background work might be due.
     *
     * @param longestMillis the maximum time after a call during which exchanges might be due; it matters only if it is
     *     shorter than the usual maximum
     */
    public void pass(long from, long to, long longestMillis, LongConsumer stepAt) {
        long end = Math.min(to, from + Math.min(longestMillis, INTERVALS * everyMillis));
        stepAt.accept(Math.min(to, from + SOON_MILLIS));
        for (long tick = from + everyMillis; tick < end; tick += everyMillis) {
            stepAt.accept(tick);
            stepAt.accept(Math.min(end, tick + SOON_MILLIS));
        }
        stepAt.accept(to);
    }

    /** Performs the background work that is due. Call this at each moment that {@link #pass} visits. */
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

    /** Lets one instance decide a call. If a block begins, all other instances are informed immediately. */
    public Decision decide(int instance, Call call) {
        Decision decision = limiters.get(instance).decide(call);
        List<KnownBlock> begun = limiters.get(instance).blocks().begun();
        if (!begun.isEmpty()) {
            limiters.get(instance).blocks().reported(begun);
            List<Block> shared = begun.stream()
                    .filter(block -> !block.isDryRun())
                    .map(KnownBlock::block)
                    .toList();
            limiters.forEach(limiter -> limiter.blocks().learn(shared, clock.millis()));
        }
        return decision;
    }

    @Override
    public void close() {
        limiters.forEach(CountingRateLimiter::close);
        store.close();
    }
}
