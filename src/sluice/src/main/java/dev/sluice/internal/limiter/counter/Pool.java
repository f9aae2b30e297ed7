package dev.sluice.internal.limiter.counter;

import dev.sluice.Subject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one counter may admit now. Any number of threads take from it, and it never gives more than it has. Thread-safe.
 *
 * <p>A call with several counters must take from all of them or from none. If the second counter refuses the call, the
 * first must not show the call even for a moment, or it could refuse another call because of it. So the call first
 * <em>borrows</em> its part, counter by counter in a global order, and then keeps or releases all of them. A call that
 * finds too little while something is borrowed waits the few nanoseconds until the borrower has decided; the global
 * order prevents deadlocks. Calls with one counter, and calls that find enough, never wait.
 *
 * <p>The methods that take return the state of the pool: a number that {@link #available} turns into an amount.
 */
public interface Pool {

    /** Returned instead of a state if too little is left. */
    long TOO_FEW = -1;

    /** Returned instead of a state if the counter was retired or its frame has ended: look it up again. */
    long CLOSED = -2;

    /** The retry time if it depends on the end of other calls. */
    long SOON_MILLIS = 1000;

    /** The longest that a call awaits the outcome of calls in flight. */
    long OUTCOME_MILLIS = 2000;

    /** The family of the counter. */
    CounterFamily family();

    /** The subjects of the counter. */
    List<Subject> subjects();

    /** The counter's pool for this time; {@code null} if the counter has to be looked up again. */
    @Nullable Pool at(long nowMillis);

    /** Takes for good; returns the state afterwards, {@link #TOO_FEW} or {@link #CLOSED}. */
    default long take(long cost, long nowMillis) {
        return take(cost, 0, 0, nowMillis);
    }

    /**
     * Borrows until {@link #keep} or {@link #release}; returns the state afterwards, {@link #TOO_FEW} or
     * {@link #CLOSED}.
     *
     * @param remaining what must be left afterwards. A call that is charged later takes nothing, and passes only while
     *     something is left
     */
    default long borrow(long cost, long remaining, long nowMillis) {
        return take(cost, remaining, 1, nowMillis);
    }

    /**
     * Takes if {@code remaining} is left afterwards.
     *
     * @param borrowers 1 to borrow, 0 to take for good
     */
    long take(long cost, long remaining, int borrowers, long nowMillis);

    /** Takes for good what was borrowed. */
    void keep();

    /**
     * Returns what was borrowed. The permits are back before the loan ends, so that no call is refused in between.
     *
     * @param state what taking returned
     */
    default void release(long cost, long state, long takenAtMillis) {
        putBack(cost, state, takenAtMillis);
        keep();
    }

    /**
     * Returns what was taken just now, as if it had never been taken.
     *
     * @param state what taking returned
     */
    void putBack(long cost, long state, long takenAtMillis);

    /**
     * Returns what a call took that does not count. The call may have ended long after it took.
     *
     * @param state what taking returned
     */
    default void refund(long cost, long state, long takenAtMillis) {
        putBack(cost, state, takenAtMillis);
    }

    /**
     * Takes this much, even if less is left; or all that is left, if instances do not share the counter. Returns how
     * much it took.
     */
    long charge(long amount, long nowMillis);

    /** The line of calls that lack permits of this pool; calls may join it. */
    CallLine openLine();

    /** Whether calls stand in line at this pool, so that a new call may not take any. */
    boolean isAnyInLine();

    /** Whether calls stand in line that joined it earlier. */
    default boolean isAnyInLineBefore(long arrivalNanos) {
        return isAnyInLine() && openLine().isAnyBefore(arrivalNanos);
    }

    /** What decisions depend on besides the state. It is another object once that has changed. */
    default Object basis() {
        return this;
    }

    /** Whether a call has yet to keep or release what it borrowed. */
    boolean hasUndecidedCalls();

    /** Whether there is too little, and nothing is borrowed that may come back. */
    boolean surelyShortOf(long cost, long nowMillis);

    /** The present state. */
    long state(long nowMillis);

    /** The amount at a state, including overage. */
    long available(long state, long nowMillis);

    /** What calls may take now: what is available, without overage that is withheld. */
    default long usable(long nowMillis) {
        return available(state(nowMillis), nowMillis) - withheldOverage();
    }

    /** The amount to show to callers, without overage. */
    default long left(long state, long nowMillis) {
        return Math.max(0, available(state, nowMillis) - family().compiledLimit.overage);
    }

    default long left(long nowMillis) {
        return left(state(nowMillis), nowMillis);
    }

    /** Whether a call that left this state used overage. */
    default boolean usesOverage(long state, long nowMillis) {
        return family().compiledLimit.overage > 0 && available(state, nowMillis) < family().compiledLimit.overage;
    }

    /** The time until the whole limit is available again, or its window ends. */
    long resetMillis(long state, long nowMillis);

    /** The time until this much can be taken if nobody else calls, even under high load. */
    long retryMillis(long cost, long nowMillis);

    /**
     * The same, but short if calls in flight may return enough, or have just done so.
     *
     * @param orElsewhere whether that holds for calls on other instances too
     */
    default long retryMillisIfCallsReturn(long cost, boolean orElsewhere, long nowMillis) {
        long retry = retryMillis(cost, nowMillis);
        boolean mayReturn = mayBeReturned(cost, nowMillis) || (orElsewhere && mayBeReturnedElsewhere(nowMillis));
        return mayReturn ? Math.min(retry, SOON_MILLIS) : retry;
    }

    /**
     * Whether a call may get this much by waiting for the store, or by looking up the counter again. {@link Shortage}
     * asks.
     */
    default boolean mayBeGranted(long need, long nowMillis) {
        return false;
    }

    /** Whether this much is left here, or calls in flight here may return it, or have just done so. */
    default boolean mayBeReturned(long need, long nowMillis) {
        return availableOrRefundable(nowMillis) >= need;
    }

    /**
     * Whether calls in flight on other instances may return something: the store has said only a moment ago that the
     * limit is used up, partly by them.
     */
    default boolean mayBeReturnedElsewhere(long nowMillis) {
        return false;
    }

    /** What is available, without overage that is withheld, plus what calls in flight may return. */
    private long availableOrRefundable(long nowMillis) {
        long withheld = withheldOverage();
        int tries = 0;
        while (true) {
            long refundable = refundable(nowMillis); // read first: what a call returns meanwhile is in at least one
            long available = available(state(nowMillis), nowMillis);
            boolean isDecided = !hasUndecidedCalls(); // what is borrowed is in neither
            if (isDecided
                    && refundable(nowMillis) <= refundable
                    && available(state(nowMillis), nowMillis) <= available) {
                return available - withheld + refundable;
            }
            tries = waitForBorrower(tries); // what came back and was taken again would be in neither
        }
    }

    /**
     * The clock's present time. If a pool's state is ahead of a call's time, the clock stepped back or the call was
     * delayed; then the call counts at the present time.
     */
    default long clockMillis() {
        return family().clockMillis.getAsLong();
    }

    /** The overage that is withheld now, because the load is high. */
    default long withheldOverage() {
        return family().compiledLimit.allowsOverage() ? 0 : family().compiledLimit.overage;
    }

    /** The overage that is available only while the load is low. */
    default long elasticOverage() {
        return family().compiledLimit.isElastic() ? family().compiledLimit.overage : 0;
    }

    /**
     * Takes the turns of a call, if calls are queued. The call proceeds at the first of them.
     *
     * @param state what taking returned
     * @param cost what the call took
     */
    default List<Turn> takeTurns(long state, long cost, long nowMillis) {
        return List.of();
    }

    /** Returns the turns of a call that returns what it took. */
    default void releaseTurns(List<Turn> turns) {}

    /** Identifies the window of a state. Refunds never cross windows. */
    default long windowNumber(long state) {
        return 0;
    }

    /**
     * Changes the amount that calls in flight took and may return: positive when a call begins, negative once it is
     * known what the call returns.
     *
     * @param state what taking returned
     */
    void addRefundable(long change, long state);

    /** How much calls in flight may return to the current window. */
    long refundable(long nowMillis);

    /** Whether less than half of the threshold is left. */
    default boolean isMostlyUsed(long nowMillis) {
        return leftInProportion(nowMillis) < 0.5;
    }

    /** The fraction of the threshold that is left. */
    default double leftInProportion(long nowMillis) {
        return (double) left(nowMillis) / (family().compiledLimit.most - family().compiledLimit.overage);
    }

    /**
     * Waits the few nanoseconds until a call keeps or releases what it borrowed. Pass the number of tries so far;
     * returns the next one.
     */
    @SuppressWarnings("ThreadPriorityCheck") // yields only so that a suspended borrower can run; nothing depends on it
    static int waitForBorrower(int tries) {
        if ((tries + 1) % 64 == 0) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
        return tries + 1;
    }
}
