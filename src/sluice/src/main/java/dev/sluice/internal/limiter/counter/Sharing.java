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
 * How the counters of this process are shared with other instances. All methods return at once, except
 * {@link #decisionMillis}, and {@code close}, which may take seconds. Thread-safe.
 */
public interface Sharing extends AutoCloseable {

    /** The time that windows are aligned to. */
    long nowMillis();

    /** The time for a call that is to be decided now. Waits, for a limited time, for {@link #soundTime}. */
    default long decisionMillis() {
        return nowMillis();
    }

    /** Elapsed time, which does not change when the clock of {@link #nowMillis} is set. */
    default long elapsedNanos() {
        return nowMillis() * 1_000_000;
    }

    /**
     * Measures elapsed time beside this clock. If it is not the system's clock, an application has set it; then elapsed
     * time follows it.
     */
    static LongSupplier elapsedBeside(InstantSource machine) {
        return machine.equals(InstantSource.system()) ? System::nanoTime : () -> machine.millis() * 1_000_000;
    }

    /**
     * A future that a call has to wait for before it is decided, because the time is doubtful, or permits in hand may
     * belong to other instances by now; {@code null} if nothing is wrong. No call should wait for it longer than {@code
     * sync.timeout}.
     */
    default @Nullable CompletableFuture<Boolean> soundTime() {
        return null;
    }

    /** Whether new counters are shared, if their limit can be. */
    boolean opensSharedCounters();

    /** Creates a counter that starts with the known use of other instances. */
    Counter open(CounterFamily family, Object values);

    /** The present moment, for a call that is about to stand in line: see {@link #standInLine}. */
    long arrivalNanos();

    /**
     * Lets a call stand in line. The store is asked for all permits that the call lacks, until an attempt has taken
     * them or the limit is known to be used up. If calls in flight may return the permits, the call awaits their
     * outcomes. Calls in line are retried in the order of their arrival.
     *
     * @param attempt takes all permits that the call needs, or none; returns the shortages, which are empty if it has
     *     taken them
     * @return {@code null} if there is nothing to wait for
     */
    @Nullable PendingCall standInLine(Supplier<List<Shortage>> attempt, List<Shortage> shortages, long arrivalNanos);

    /** Whether a call that lacks this has nothing to wait for, see {@link Shortage#isHopeless}. */
    boolean isHopeless(Shortage lacking);

    /**
     * Call this after a call has taken permits from a pool. Requests a check if few permits remain.
     *
     * @param state the pool's state at that time or later
     */
    void afterTake(Pool pool, long state);

    /**
     * Requests a check of this pool, because other calls may use its permits: a pending call was refused, or the
     * outcome of a call in flight is known.
     */
    void requestCheck(Pool pool);

    /**
     * Notes that a call which was pending was decided.
     *
     * @param lacking its first shortage
     * @param reason the latest reason why it was pending
     */
    default void wasPending(Shortage lacking, Reason reason, long nanos, Outcome outcome) {}

    /**
     * The state of the background, which answers in its next step.
     *
     * @param keys the counters to describe; {@code null} for those that are due first
     * @param most the most accounts to describe
     */
    default CompletableFuture<LimiterDiagnostics> diagnose(@Nullable Predicate<CounterKey> keys, int most) {
        return CompletableFuture.completedFuture(LimiterDiagnostics.ALONE);
    }

    /** Switches to other limits. */
    void follow(Limits limits);

    /** Ends sharing. Counters that are opened from now on count as if the store were unavailable. */
    void leave();

    /** Reports the remaining use, and returns the permits that are still held. Called once, after {@link #leave}. */
    @Override
    void close();
}
