package dev.sluice.internal.limiter.counter;

import dev.sluice.Subject;
import dev.sluice.tier.Tier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The current permits of one counter. Any number of threads can take permits from a pool. A pool never hands out more
 * permits than it contains. Thread-safe.
 *
 * <p>A call with several counters must take permits from all of them or from none. If the second counter refuses the
 * call, the permits of the first must not appear taken even for a moment. Otherwise, the first counter could refuse a
 * different call because of them. Therefore, the call first <em>borrows</em> permits, counter by counter in a global
 * order. Then it keeps or releases all of them. A call that finds too few permits while some are borrowed waits for the
 * few nanoseconds until the borrower has decided. The global order prevents deadlocks. Calls with one counter, and
 * calls that find enough permits, never wait.
 *
 * <p>The methods that take permits return the state of the pool, a number from which {@link #available} computes the
 * available permits.
 */
public interface Pool {

    /** The value that is returned instead of a state if too few permits remain. */
    long TOO_FEW = -1;

    /**
     * The value that is returned instead of a state if the counter was retired or its frame has ended. The counter then
     * has to be looked up again.
     */
    long CLOSED = -2;

    /** The retry time if permits become available when other calls end. */
    long SOON_MILLIS = 1000;

    /** The maximum time for which a call awaits the outcomes of calls in flight. */
    long OUTCOME_MILLIS = 2000;

    /** Returns the number of additional calls that operators are known to have given in the current window. */
    default long given() {
        return 0;
    }

    /**
     * Returns the tier to show to callers. This tier's limit includes any additional calls that operators have granted.
     */
    default Tier shownTier() {
        long given = given();
        return given == 0 ? family().tier : family().tier.plus(given);
    }

    /** Returns the family of the counter. */
    CounterFamily family();

    /** Returns the subjects of the counter. */
    List<Subject> subjects();

    /** Returns the counter's pool for the given time; {@code null} if the counter has to be looked up again. */
    @Nullable Pool at(long nowMillis);

    /** Takes permits permanently. Returns the new state, {@link #TOO_FEW} or {@link #CLOSED}. */
    default long take(long cost, long nowMillis) {
        return take(cost, 0, 0, nowMillis);
    }

    /**
     * Borrows permits until {@link #keep} or {@link #release}. Returns the new state, {@link #TOO_FEW} or {@link
     * #CLOSED}.
     *
     * @param remaining the number of permits that must remain afterwards. A call whose cost is charged later takes no
     *     permits, but passes only if some remain
     */
    default long borrow(long cost, long remaining, long nowMillis) {
        return take(cost, remaining, 1, nowMillis);
    }

    /**
     * Takes permits if at least {@code remaining} permits remain afterwards.
     *
     * @param borrowers 1 to borrow, 0 to take permanently
     */
    long take(long cost, long remaining, int borrowers, long nowMillis);

    /** Keeps borrowed permits permanently. */
    void keep();

    /**
     * Releases borrowed permits. The permits become available before the call stops being registered as a borrower, so
     * no other call is refused in between.
     *
     * @param state the state that was returned when the permits were taken
     */
    default void release(long cost, long state, long takenAtMillis) {
        putBack(cost, state, takenAtMillis);
        keep();
    }

    /**
     * Puts back permits that have just been taken, as if they had never been taken.
     *
     * @param state the state that was returned when the permits were taken
     */
    void putBack(long cost, long state, long takenAtMillis);

    /**
     * Refunds the permits of a call that does not count. The call might have ended long after it took them.
     *
     * @param state the state that was returned when the permits were taken
     */
    default void refund(long cost, long state, long takenAtMillis) {
        putBack(cost, state, takenAtMillis);
    }

    /**
     * Takes the given number of permits, even if fewer remain. However, an unshared counter provides at most its
     * remaining permits. Returns the number of permits that were taken.
     */
    long charge(long amount, long nowMillis);

    /** Returns the line of calls that lack permits of this pool. Calls can join this line. */
    CallLine openLine();

    /** Whether any calls stand in line at this pool. If so, a new call must not take any permits. */
    boolean isAnyInLine();

    /** Whether any calls that arrived before the given time stand in line. */
    default boolean isAnyInLineBefore(long arrivalNanos) {
        return isAnyInLine() && openLine().isAnyBefore(arrivalNanos);
    }

    /**
     * Returns an object that represents all facts on which decisions depend, except the state. Whenever one of these
     * facts changes, this method returns a different object.
     */
    default Object basis() {
        return this;
    }

    /** Whether a call has yet to keep or release permits that it borrowed. */
    boolean hasUndecidedCalls();

    /** Whether too few permits remain and no borrowed permits could still be released. */
    boolean surelyShortOf(long cost, long nowMillis);

    /** Returns the current state. */
    long state(long nowMillis);

    /** Returns the number of permits that are available in the given state, including overage. */
    long available(long state, long nowMillis);

    /** Returns the number of permits that calls may take now, excluding withheld overage. */
    default long usable(long nowMillis) {
        return available(state(nowMillis), nowMillis) - withheldOverage();
    }

    /**
     * Returns the number of permits that calls may take now; at least 0. If there are none, a concurrent call might
     * have borrowed the last permits and might release them. In that case, the method waits for the few nanoseconds
     * until that call has decided.
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

    /**
     * Returns the number of available permits that other instances held unused at the last exchange and that they might
     * return.
     */
    default long heldElsewhere() {
        return 0;
    }

    /** Returns the number of remaining permits to show to callers, excluding overage. */
    default long left(long state, long nowMillis) {
        return Math.max(0, available(state, nowMillis) - family().compiledLimit.overage);
    }

    default long left(long nowMillis) {
        return left(state(nowMillis), nowMillis);
    }

    /** Whether the call that left the pool in the given state used overage. */
    default boolean usesOverage(long state, long nowMillis) {
        return family().compiledLimit.overage > 0 && available(state, nowMillis) < family().compiledLimit.overage;
    }

    /** Returns the time until the whole limit is available again or until its window ends. */
    long resetMillis(long state, long nowMillis);

    /**
     * Returns the time until the given number of permits can be taken even under high load, assuming that no other
     * calls arrive.
     */
    long retryMillis(long cost, long nowMillis);

    /**
     * Returns {@link #retryMillis}, or a shorter time if calls in flight might return enough permits or have just
     * returned them.
     *
     * @param orElsewhere whether calls in flight on other instances are also considered
     */
    default long retryMillisIfCallsReturn(long cost, boolean orElsewhere, long nowMillis) {
        long retry = retryMillis(cost, nowMillis);
        boolean mayReturn = mayBeReturned(cost, nowMillis) || (orElsewhere && mayBeReturnedElsewhere(nowMillis));
        return mayReturn ? Math.min(retry, SOON_MILLIS) : retry;
    }

    /**
     * Whether a call might get the given number of permits by waiting for the store, or by looking up the counter
     * again. Only {@link Shortage} calls this method.
     */
    default boolean mayBeGranted(long need, long nowMillis) {
        return false;
    }

    /**
     * Whether the given number of permits would be available on this instance if calls in flight returned all permits
     * that they could return.
     */
    default boolean mayBeReturned(long need, long nowMillis) {
        return availableOrRefundable(nowMillis) >= need;
    }

    /**
     * Whether calls in flight on other instances might return permits. This is the case if the store has only just
     * reported that the limit is used up, partly by such calls.
     */
    default boolean mayBeReturnedElsewhere(long nowMillis) {
        return false;
    }

    /**
     * Returns the number of available permits, excluding withheld overage and including permits that calls in flight
     * could return.
     */
    private long availableOrRefundable(long nowMillis) {
        long withheld = withheldOverage();
        int tries = 0;
        while (true) {
            // The refundable permits are read first. If a call is just returning permits, these permits are then
            // included in at least one of the two numbers.
            long refundable = refundable(nowMillis);
            long available = available(state(nowMillis), nowMillis);
            boolean isDecided = !hasUndecidedCalls(); // borrowed permits are in neither number
            if (isDecided
                    && refundable(nowMillis) <= refundable
                    && available(state(nowMillis), nowMillis) <= available) {
                return available - withheld + refundable;
            }
            tries = waitForBorrower(tries); // permits that were returned and taken again would be in neither number
        }
    }

    /**
     * Returns the clock's current time. If a pool's state is ahead of a call's time, the clock was set back or the call
     * was delayed. In that case, the call is counted at the current time.
     */
    default long clockMillis() {
        return family().clockMillis.getAsLong();
    }

    /** Returns the overage that is currently withheld because the load is high. */
    default long withheldOverage() {
        return family().compiledLimit.allowsOverage() ? 0 : family().compiledLimit.overage;
    }

    /** Returns the overage that is available only while the load is low. */
    default long elasticOverage() {
        return family().compiledLimit.isElastic() ? family().compiledLimit.overage : 0;
    }

    /**
     * If the limit queues calls, takes and returns the turns of a call's permits. The call proceeds at the first of
     * these turns.
     *
     * @param state the state that was returned when the permits were taken
     * @param cost the number of permits that the call took
     */
    default List<Turn> takeTurns(long state, long cost, long nowMillis) {
        return List.of();
    }

    /** Releases the turns of a call that returns its permits. */
    default void releaseTurns(List<Turn> turns) {}

    /** Returns the number of the window to which a state belongs. Refunds never cross window boundaries. */
    default long windowNumber(long state) {
        return 0;
    }

    /**
     * Changes the number of permits that calls in flight took and could return. The change is positive when a call
     * begins. It is negative once it is known how many permits the call returns.
     *
     * @param state the state that was returned when the permits were taken
     */
    void addRefundable(long change, long state);

    /** Returns the number of permits that calls in flight could return to the current window. */
    long refundable(long nowMillis);

    /** Whether less than half of the threshold remains. */
    default boolean isMostlyUsed(long nowMillis) {
        return leftInProportion(nowMillis) < 0.5;
    }

    /** Returns the remaining fraction of the threshold, including the calls that operators have given. */
    default double leftInProportion(long nowMillis) {
        return (double) left(nowMillis) / (family().compiledLimit.most - family().compiledLimit.overage + given());
    }

    /**
     * Waits for the few nanoseconds until a call keeps or releases the permits that it borrowed. The parameter is the
     * number of previous tries. The result is the number of tries including this one.
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
