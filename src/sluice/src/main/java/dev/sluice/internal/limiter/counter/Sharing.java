package dev.sluice.internal.limiter.counter;

import dev.sluice.CounterKey;
import dev.sluice.Decision.Outcome;
import dev.sluice.internal.limiter.counter.PendingCall.Reason;
import dev.sluice.limits.LimiterDiagnostics;
import dev.sluice.limits.Limits;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way in which this process shares its counters with other instances. All methods return immediately, except {@link
 * #decisionMillis} and {@code close}, which can take seconds. Thread-safe.
 */
public interface Sharing extends AutoCloseable {

    /** Returns the current time on the clock to which windows are aligned. */
    long nowMillis();

    /**
     * Returns the current time for a call that is about to be decided. Before that, waits for {@link #soundTime}, but
     * only for a limited time.
     */
    default long decisionMillis() {
        return nowMillis();
    }

    /** Returns the elapsed time, which is not affected when the clock of {@link #nowMillis} is set. */
    default long elapsedNanos() {
        return nowMillis() * 1_000_000;
    }

    /**
     * Returns the source of elapsed time to use with the given clock. If the clock is not the system clock, the
     * application controls the clock, so elapsed time follows it.
     */
    static LongSupplier elapsedBeside(InstantSource machine) {
        return machine.equals(InstantSource.system()) ? System::nanoTime : () -> machine.millis() * 1_000_000;
    }

    /**
     * Returns a future for which a call has to wait before it is decided, or {@code null} if there is no reason to
     * wait. A call has to wait if the current time is uncertain, or if permits in hand might belong to other instances
     * by now. No call should wait longer than {@code sync.timeout}.
     */
    default @Nullable CompletableFuture<Boolean> soundTime() {
        return null;
    }

    /** Whether new counters are shared if their limit allows it. */
    boolean opensSharedCounters();

    /** Creates a counter that starts with the known use of other instances. */
    Counter open(CounterFamily family, Object values);

    /** Returns the arrival time for a call that is about to stand in line; see {@link #standInLine}. */
    long arrivalNanos();

    /**
     * Lets a call stand in line. The store is asked for all permits that the call lacks, until an attempt has taken
     * them or the limit is known to be used up. If calls in flight might return the permits, the call awaits their
     * outcomes. Calls in line are retried in the order of their arrival.
     *
     * @param attempt the action that takes either all permits that the call needs or none. It returns the shortages, or
     *     an empty list if it has taken the permits
     * @return {@code null} if waiting is useless
     */
    @Nullable PendingCall standInLine(Supplier<List<Shortage>> attempt, List<Shortage> shortages, long arrivalNanos);

    /** Whether waiting is useless for a call with the given shortage; see {@link Shortage#isHopeless}. */
    boolean isHopeless(Shortage lacking);

    /**
     * Requests a check if few permits remain. Call this after a call has taken permits from a pool.
     *
     * @param state the pool's state at that time or at a later time
     */
    void afterTake(Pool pool, long state);

    /**
     * Requests a check of the given pool, because other calls might now be able to use its permits. Either a pending
     * call was refused, or the outcome of a call in flight is known.
     */
    void requestCheck(Pool pool);

    /**
     * Records that a pending call has been decided.
     *
     * @param lacking the first shortage of the call
     * @param reason the latest reason why the call was pending
     */
    default void wasPending(Shortage lacking, Reason reason, long nanos, Outcome outcome) {}

    /**
     * Returns the state of the background thread. The future completes in that thread's next step.
     *
     * @param keys the counters to describe; {@code null} for the counters that are due first
     * @param most the maximum number of accounts to describe
     */
    default CompletableFuture<LimiterDiagnostics> diagnose(@Nullable Predicate<CounterKey> keys, int most) {
        return CompletableFuture.completedFuture(LimiterDiagnostics.ALONE);
    }

    /** Switches to new limits. */
    void follow(Limits limits);

    /** Ends sharing. Counters that are opened from now on count as if the store were unavailable. */
    void leave();

    /**
     * Reports the unreported use, and returns the permits that this instance still holds. This method is called once,
     * after {@link #leave}.
     */
    @Override
    void close();
}
