package dev.sluice.internal.limiter.counter;

import dev.sluice.CounterKey;
import dev.sluice.Decision.Outcome;
import dev.sluice.internal.limiter.counter.WaitingCall.Reason;
import dev.sluice.limits.LimiterDiagnostics;
import dev.sluice.limits.Limits;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How the counters of this process are shared with other instances. All methods but {@link #decisionMillis} return at once. */
public interface Sharing extends AutoCloseable {

    /** The time that windows are aligned to. */
    long nowMillis();

    /**
     * The same for a call that is to be decided now. Waits, for a limited time, for {@link #soundTime}.
     */
    default long decisionMillis() {
        return nowMillis();
    }

    /** The time that elapses, whatever happens to the clock of {@link #nowMillis}. */
    default long elapsedNanos() {
        return nowMillis() * 1_000_000;
    }

    /** What measures that, beside this machine's clock. A clock that the application has set is followed itself. */
    static LongSupplier elapsedBeside(InstantSource machine) {
        return machine.equals(InstantSource.system()) ? System::nanoTime : () -> machine.millis() * 1_000_000;
    }

    /**
     * What a call has to wait for before it is decided: the time is doubtful, or permits in hand may belong to others by
     * now. {@code null} if nothing is wrong. Nobody should wait for it longer than {@code sync.timeout}.
     */
    default @Nullable CompletableFuture<Boolean> soundTime() {
        return null;
    }

    /** Whether new counters are shared, if their limit can be. */
    boolean opensSharedCounters();

    /** Creates a counter, with what is already known of others' use. */
    Counter open(CounterFamily family, Object values);

    /** The moment at which a call starts to wait, for {@link #standInLine}. */
    long arrivalNanos();

    /**
     * Asks the store for all that a call lacks, until an attempt has taken it, or it is known to be used up. If calls under
     * way may return what it lacks, the call waits for their outcome. Calls are tried again in the order of their arrival.
     * Returns {@code null} if there is nothing to wait for.
     *
     * @param attempt takes all that the call needs, or nothing; returns what it lacks, nothing if it has taken
     */
    @Nullable WaitingCall standInLine(Supplier<List<Shortage>> attempt, List<Shortage> shortages, long arrivalNanos);

    /** Whether there is nothing to wait for: the limit is known to be used up. */
    default boolean isHopeless(Shortage lacking) {
        return true;
    }

    /**
     * Called after a call took from a pool: requests a check if little is left.
     *
     * @param state the pool's state, then or later
     */
    void afterTake(Pool pool, long state);

    /**
     * Requests a check of this pool: a call that waited for it was refused, or the outcome of a call under way is known, so
     * others may use what is there.
     */
    void requestCheck(Pool pool);

    /**
     * A call that waited was decided.
     *
     * @param lacking what it lacked first
     * @param reason what it waited for last
     */
    default void waited(Shortage lacking, Reason reason, long waitedNanos, Outcome outcome) {}

    /** Receives, on any thread and without blocking it, what is exchanged about some counters and who waits there. */
    interface Watch {

        boolean follows(CounterKey key);

        /**
         * Something happened to a counter that this follows.
         *
         * @param atMillis when, by the store's clock
         */
        void saw(CounterKey key, long atMillis, String line);
    }

    /** Lets somebody watch from now on, in place of whoever did; {@code null} for nobody. */
    default void watchedBy(@Nullable Watch watch) {}

    /**
     * What the background knows and waits for; it answers when it looks next.
     *
     * @param keys the counters to describe; {@code null} for those that are due first
     * @param most the most accounts to describe
     */
    default CompletableFuture<LimiterDiagnostics> diagnose(@Nullable Predicate<CounterKey> keys, int most) {
        return CompletableFuture.completedFuture(LimiterDiagnostics.ALONE);
    }

    /** Switches to other limits. */
    void follow(Limits limits);

    /** Ends sharing: counters opened from then on count as if the store were away. */
    void leave();

    /** Reports and returns what is still shared. Called once, after {@link #leave}. */
    @Override
    void close();
}
