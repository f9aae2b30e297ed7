package dev.sluice.internal.limiter.counter;

import dev.sluice.limits.Origin;

/**
 * What a call lacks in one pool. Immutable.
 *
 * @param pool the pool
 * @param cost what the call takes
 * @param need how much must be available for the call to pass
 * @param sufficesAlone whether the call passes once it gets this
 * @param countsByOutcome whether calls in flight return what they took if their outcome does not count
 */
public record Shortage(Pool pool, long cost, long need, boolean sufficesAlone, boolean countsByOutcome) {

    /** How many calls may await outcomes, for each call that the limit admits. */
    private static final long MOST_OUTCOMES = 8;

    /** A shortage where the outcome of calls in flight does not matter. */
    public Shortage(Pool pool, long cost, long need, boolean sufficesAlone) {
        this(pool, cost, need, sufficesAlone, false);
    }

    /** Whether callers can choose freely which of such pools makes them wait. */
    boolean isMadeUp() {
        return pool.family().origin != Origin.VERIFIED;
    }

    /** Whether a call that is not in line yet may await the outcomes of calls in flight. */
    public boolean hasOutcomesToAwait() {
        return countsByOutcome && pool.openLine().hasRoom(mostAwaitingOutcomes()) && mayComeBack();
    }

    /** How many calls may await outcomes at the pool. */
    long mostAwaitingOutcomes() {
        return MOST_OUTCOMES * pool.family().tier.limit().threshold();
    }

    /** Whether calls in flight may return enough, here or, as far as known, on other instances. */
    boolean mayComeBack() {
        if (!countsByOutcome) {
            return false;
        }
        long now = pool.clockMillis();
        return pool.mayBeReturned(need, now) || pool.isJustUsedUpElsewhere(now);
    }
}
