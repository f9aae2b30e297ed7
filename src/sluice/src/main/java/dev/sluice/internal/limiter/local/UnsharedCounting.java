package dev.sluice.internal.limiter.local;

import dev.sluice.Decision.Outcome;
import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.PendingCall;
import dev.sluice.internal.limiter.counter.PendingCall.Reason;
import dev.sluice.internal.limiter.counter.PendingLog;
import dev.sluice.internal.limiter.counter.PendingPolicy;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.limiter.counter.Sharing;
import dev.sluice.internal.limiter.counter.Shortage;
import dev.sluice.limits.Limits;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts calls only in this process, based on this machine's clock. Calls wait only for the outcomes of other calls.
 * Thread-safe.
 */
public final class UnsharedCounting implements Sharing {

    private final InstantSource clock;
    private final LongSupplier nanos;
    private final LongSupplier elapsed;
    private final PendingCall.Surroundings surroundings;
    private final LocalLines lines = new LocalLines();

    /** Creates an instance in which calls are never pending. */
    public UnsharedCounting(InstantSource clock) {
        this(clock, System::nanoTime, PendingPolicy.NONE);
    }

    /**
     * Creates an instance in which calls can be pending.
     *
     * @param clock the clock to which windows are aligned
     * @param nanos the supplier of the monotonic time, which measures how long calls are pending
     * @param policy the policy that determines how threads wait and how many calls may be pending
     */
    public UnsharedCounting(InstantSource clock, LongSupplier nanos, PendingPolicy policy) {
        this(clock, nanos, Sharing.elapsedBeside(clock), policy);
    }

    /**
     * Creates an instance in which calls can be pending and the clock can be set.
     *
     * @param elapsed the supplier of the elapsed time in nanoseconds, which is not affected when the clock is set
     */
    public UnsharedCounting(InstantSource clock, LongSupplier nanos, LongSupplier elapsed, PendingPolicy policy) {
        this.clock = clock;
        this.nanos = nanos;
        this.elapsed = elapsed;
        this.surroundings = new PendingCall.Surroundings(nanos, policy, this::requestCheck, () -> {});
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
    public @Nullable PendingCall standInLine(
            Supplier<List<Shortage>> attempt, List<Shortage> shortages, long arrivalNanos) {
        if (shortages.stream().anyMatch(this::isHopeless)) {
            return null;
        }
        PendingCall call = new PendingCall(attempt, surroundings, arrivalNanos);
        call.standInLine(shortages);
        return call;
    }

    @Override
    public boolean isHopeless(Shortage lacking) {
        return !lacking.countsByOutcome() || lacking.isHopeless(false, clock.millis());
    }

    @Override
    public void wasPending(Shortage lacking, Reason reason, long nanos, Outcome outcome) {
        PendingLog.wasPending(lacking, reason, nanos, outcome, clock.millis());
    }

    @Override
    public void afterTake(Pool pool, long state) {}

    @Override
    public void requestCheck(Pool pool) {
        lines.add(pool);
        lines.serve();
    }

    @Override
    public void follow(Limits limits) {}

    @Override
    public void leave() {}

    @Override
    public void close() {}
}
