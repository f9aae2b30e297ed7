package dev.sluice.internal.limiter.local;

import dev.sluice.Decision.Outcome;
import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.limiter.counter.Sharing;
import dev.sluice.internal.limiter.counter.Shortage;
import dev.sluice.internal.limiter.counter.ThreadWait;
import dev.sluice.internal.limiter.counter.WaitLog;
import dev.sluice.internal.limiter.counter.WaitingCall;
import dev.sluice.internal.limiter.counter.WaitingCall.Reason;
import dev.sluice.limits.Limits;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counting in this process alone, by this machine's clock. Calls wait only for the outcome of other calls. Thread-safe.
 */
public final class UnsharedCounting implements Sharing {

    private final InstantSource clock;
    private final LongSupplier nanos;
    private final LongSupplier elapsed;
    private final WaitingCall.Surroundings surroundings;
    private final LocalLines lines = new LocalLines();

    /** Lets no call wait. */
    public UnsharedCounting(InstantSource clock) {
        this(clock, System::nanoTime, ThreadWait.NONE);
    }

    /**
     * Lets calls wait.
     *
     * @param clock the clock that windows are aligned to
     * @param nanos measures how long calls wait
     * @param waiting how calls wait
     */
    public UnsharedCounting(InstantSource clock, LongSupplier nanos, ThreadWait waiting) {
        this(clock, nanos, Sharing.elapsedBeside(clock), waiting);
    }

    /**
     * Lets calls wait, with a clock that may be set.
     *
     * @param elapsed elapsed time in nanoseconds, which does not change when the clock is set
     */
    public UnsharedCounting(InstantSource clock, LongSupplier nanos, LongSupplier elapsed, ThreadWait waiting) {
        this.clock = clock;
        this.nanos = nanos;
        this.elapsed = elapsed;
        this.surroundings = new WaitingCall.Surroundings(nanos, waiting, this::requestCheck, () -> {});
    }

    @Override
    public long nowMillis() {
        return clock.millis();
    }

    @Override
    public long elapsedNanos() {
        return elapsed.getAsLong();
    }

    @Override
    public boolean opensSharedCounters() {
        return false;
    }

    @Override
    public Counter open(CounterFamily family, Object values) {
        return LocalCounters.open(family, values);
    }

    @Override
    public long arrivalNanos() {
        return nanos.getAsLong();
    }

    @Override
    public @Nullable WaitingCall standInLine(
            Supplier<List<Shortage>> attempt, List<Shortage> shortages, long arrivalNanos) {
        if (!shortages.stream().allMatch(Shortage::mayBeAwaited)) {
            return null;
        }
        WaitingCall call = new WaitingCall(attempt, surroundings, arrivalNanos);
        call.standInLine(shortages);
        return call;
    }

    @Override
    public void waited(Shortage lacking, Reason reason, long waitedNanos, Outcome outcome) {
        WaitLog.waited(lacking, reason, waitedNanos, outcome, clock.millis());
    }

    @Override
    public void afterTake(Pool pool, long state) {}

    @Override
    public void requestCheck(Pool pool) {
        lines.check(pool);
    }

    @Override
    public void follow(Limits limits) {}

    @Override
    public void leave() {}

    @Override
    public void close() {}
}
