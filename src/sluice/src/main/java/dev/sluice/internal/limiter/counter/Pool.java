package dev.sluice.internal.limiter.counter;

import dev.sluice.Subject;
import dev.sluice.tier.Tier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The permits that one counter has now. Any number of threads take from it, and it never gives more than it has.
 * Thread-safe.
 *
 * <p>A call with several counters must take from all of them or from none. If the second counter refuses the call, the
 * first must not show the call even for a moment, or it could refuse another call because of it. So the call first
 * <em>borrows</em> its part, counter by counter in a global order, and then keeps or releases all of them. A call that
 * finds too few permits while some are borrowed waits the few nanoseconds until the borrower has decided. The global
 * order prevents deadlocks. Calls with one counter, and calls that find enough permits, never wait.
 *
 * <p>The methods that take return the state of the pool: a number that {@link #available} turns into an amount.
 */
public interface Pool {

    /** Returned instead of a state if too few permits remain. */
    long TOO_FEW = -1;

    /**
     * Returned instead of a state if the counter was retired or its frame has ended, so that it must be looked up
     * again.
     */
    long CLOSED = -2;

    /** The retry time if it depends on the end of other calls. */
    long SOON_MILLIS = 1000;

    /** The maximum time that a call awaits the outcomes of calls in flight. */
    long OUTCOME_MILLIS = 2000;

    /** How much operators have given in the present window, as far as known: so much passes beyond the limit. */
    default long given() {
        return 0;
    }

    /** The tier to show to callers: with what operators have given. */
    default Tier shownTier() {
        long given = given();
        return given == 0 ? family().tier : family().tier.plus(given);
    }

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
     * Borrows until {@link #keep} or {@link #release}; returns the state afterwards, {@link #TOO_FEW} or {@link
     * #CLOSED}.
     *
     * @param remaining the permits that must remain afterwards. A call that is charged later takes none, and passes
     *     only while some remain
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

    /** Takes borrowed permits for good. */
    void keep();

    /**
     * Returns borrowed permits. They are back before the loan ends, so that no call is refused in between.
     *
     * @param state the state that taking returned
     */
    default void release(long cost, long state, long takenAtMillis) {
        putBack(cost, state, takenAtMillis);
        keep();
    }

    /**
     * Returns permits that were taken just now, as if they had never been taken.
     *
     * @param state the state that taking returned
     */
    void putBack(long cost, long state, long takenAtMillis);

    /**
     * Returns the permits of a call that does not count. The call may have ended long after it took them.
     *
     * @param state the state that taking returned
     */
    default void refund(long cost, long state, long takenAtMillis) {
        putBack(cost, state, takenAtMillis);
    }

    /**
     * Takes this number of permits, even if fewer remain. If instances do not share the counter, it takes at most the
     * remaining ones. Returns how many it took.
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

    /**
     * An object that stands for all that decisions depend on besides the state. It is another object once that has
     * changed.
     */
    default Object basis() {
        return this;
    }

    /** Whether a call has yet to keep or release permits that it borrowed. */
    boolean hasUndecidedCalls();

    /** Whether there are too few permits, and no borrowed ones that may come back. */
    boolean surelyShortOf(long cost, long nowMillis);

    /** The present state. */
    long state(long nowMillis);

    /** The amount at a state, including overage. */
    long available(long state, long nowMillis);

    /** The permits that calls may take now: the available ones, without overage that is withheld. */
    default long usable(long nowMillis) {
        return available(state(nowMillis), nowMillis) - withheldOverage();
    }

    /**
     * What calls may take now, at least 0. If that is nothing, a call may have borrowed the rest and release it: then
     * this waits the few nanoseconds until that call has decided.
     */
    default long usableOnceDecided(long nowMillis) {
        int tries = 0;
        while (true) {
            long usable = usable(nowMillis);
            boolean isDecided = !hasUndecidedCalls();
            if (usable > 0 || (isDecided && usable(nowMillis) <= usable)) {
                return Math.max(0, usable);
            }
            tries = waitForBorrower(tries);
        }
    }

    /** How much of what is available other instances held unused at the last exchange, and may return. */
    default long heldElsewhere() {
        return 0;
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

    /** The time until this number of permits can be taken if nobody else calls, even under high load. */
    long retryMillis(long cost, long nowMillis);

    /**
     * The same time, but a short one if calls in flight may return enough permits, or have just done so.
     *
     * @param orElsewhere whether that holds for calls on other instances too
     */
    default long retryMillisIfCallsReturn(long cost, boolean orElsewhere, long nowMillis) {
        long retry = retryMillis(cost, nowMillis);
        boolean mayReturn = mayBeReturned(cost, nowMillis) || (orElsewhere && mayBeReturnedElsewhere(nowMillis));
        return mayReturn ? Math.min(retry, SOON_MILLIS) : retry;
    }

    /**
     * Whether a call may get this number of permits by waiting for the store, or by looking up the counter again. Only
     * {@link Shortage} asks.
     */
    default boolean mayBeGranted(long need, long nowMillis) {
        return false;
    }

    /** Whether this number of permits remains here, or calls in flight here may return it, or have just done so. */
    default boolean mayBeReturned(long need, long nowMillis) {
        return availableOrRefundable(nowMillis) >= need;
    }

    /**
     * Whether calls in flight on other instances may return permits, since the store has said only a moment ago that
     * the limit is used up, partly by them.
     */
    default boolean mayBeReturnedElsewhere(long nowMillis) {
        return false;
    }

    /** The available permits, without overage that is withheld, plus those that calls in flight may return. */
    private long availableOrRefundable(long nowMillis) {
        long withheld = withheldOverage();
        int tries = 0;
        while (true) {
            // Read first, so that permits that a call returns now are in at least one of the two numbers.
            long refundable = refundable(nowMillis);
            long available = available(state(nowMillis), nowMillis);
            boolean isDecided = !hasUndecidedCalls(); // borrowed permits are in neither
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
     * @param state the state that taking returned
     * @param cost the permits that the call took
     */
    default List<Turn> takeTurns(long state, long cost, long nowMillis) {
        return List.of();
    }

    /** Returns the turns of a call that returns its permits. */
    default void releaseTurns(List<Turn> turns) {}

    /** Identifies the window of a state. Refunds never cross windows. */
    default long windowNumber(long state) {
        return 0;
    }

    /**
     * Changes the number of permits that calls in flight took and may return. The change is positive when a call
     * begins, and negative once it is known how many permits the call returns.
     *
     * @param state the state that taking returned
     */
    void addRefundable(long change, long state);

    /** How many permits calls in flight may return to the current window. */
    long refundable(long nowMillis);

    /** Whether less than half of the threshold remains. */
    default boolean isMostlyUsed(long nowMillis) {
        return leftInProportion(nowMillis) < 0.5;
    }

    /** The remaining fraction of the threshold and of what operators have given. */
    default double leftInProportion(long nowMillis) {
        return (double) left(nowMillis) / (family().compiledLimit.most - family().compiledLimit.overage + given());
    }

    /**
     * Waits the few nanoseconds until a call keeps or releases the permits that it borrowed. Takes the number of tries
     * so far, and returns the next number.
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
