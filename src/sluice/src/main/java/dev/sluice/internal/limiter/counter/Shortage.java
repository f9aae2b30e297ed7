package dev.sluice.internal.limiter.counter;

import dev.sluice.internal.limiter.counter.CallLine.Demand;
import dev.sluice.limits.Origin;

/**
 * What a call lacks in one pool. {@link #prospect} is the one place that says whether waiting has any point. Immutable.
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

    /** From whom a call may get what it lacks, if it waits. */
    public enum Prospect {
        /** From the store, or from the counter that takes the place of this one. */
        STORE,
        /** From calls in flight, whose outcome may not count. */
        OUTCOMES,
        /** From nobody: the call is refused. */
        NOTHING
    }

    /** A shortage where the outcome of calls in flight does not matter. */
    public Shortage(Pool pool, long cost, long need, boolean sufficesAlone) {
        this(pool, cost, need, sufficesAlone, false);
    }

    /** What the line has to know. */
    Demand demand() {
        return new Demand(cost, need, sufficesAlone, countsByOutcome);
    }

    /** Whether callers can choose freely which of such pools makes them wait. */
    boolean isMadeUp() {
        return pool.family().origin != Origin.VERIFIED;
    }

    /**
     * From whom the call may get what it lacks. Outcomes are looked at twice: at the first look, a returned permit may
     * be on its way to the store, where the look at the store finds it; at the second, another call may have taken it.
     *
     * @param mayAskStore whether the store may still have some. If it has just said that it has none, or is closed, only
     *     calls in flight can help
     */
    public Prospect prospect(boolean mayAskStore, long nowMillis) {
        boolean mayBeReturned = mayBeReturned(nowMillis);
        if (mayAskStore && pool.mayBeGranted(need, nowMillis)) {
            return Prospect.STORE;
        }
        return mayBeReturned || mayBeReturned(nowMillis) ? Prospect.OUTCOMES : Prospect.NOTHING;
    }

    /**
     * Whether a call that is not in line yet need not join it: it has no prospect, or too many calls await the same
     * outcomes already.
     */
    public boolean isHopeless(boolean mayAskStore, long nowMillis) {
        return switch (prospect(mayAskStore, nowMillis)) {
            case STORE -> false;
            case OUTCOMES -> !pool.openLine().hasRoom(mostAwaitingOutcomes());
            case NOTHING -> true;
        };
    }

    /** Whether calls in flight may return enough, here or, as far as known, on other instances. */
    private boolean mayBeReturned(long nowMillis) {
        return countsByOutcome && (pool.mayBeReturned(need, nowMillis) || pool.mayBeReturnedElsewhere(nowMillis));
    }

    /** How many calls may await outcomes at the pool. */
    long mostAwaitingOutcomes() {
        return MOST_OUTCOMES * pool.family().tier.limit().threshold();
    }
}
