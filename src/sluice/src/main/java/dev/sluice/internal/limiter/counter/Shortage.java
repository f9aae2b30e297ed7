package dev.sluice.internal.limiter.counter;

import dev.sluice.internal.limiter.counter.CallLine.Demand;
import dev.sluice.limits.Origin;

/**
 * The permits that a call lacks in one pool. Only {@link #prospect} decides whether waiting makes sense. Immutable.
 *
 * @param pool the pool
 * @param cost the permits that the call takes
 * @param need the permits that must be available for the call to pass
 * @param sufficesAlone whether the call passes once it gets these permits
 * @param countsByOutcome whether calls in flight return their permits if their outcome does not count
 */
public record Shortage(Pool pool, long cost, long need, boolean sufficesAlone, boolean countsByOutcome) {

    /** The maximum number of calls that await outcomes, per call that the limit admits. */
    private static final long MOST_OUTCOMES = 8;

    /** The source from which a waiting call may get the permits that it lacks. */
    public enum Prospect {
        /** The store, or the counter that replaces this one. */
        STORE,
        /** Calls in flight with an outcome that may not count. */
        OUTCOMES,
        /** There is no such source, so the call is refused. */
        NOTHING
    }

    /** Creates a shortage for which the outcome of calls in flight does not matter. */
    public Shortage(Pool pool, long cost, long need, boolean sufficesAlone) {
        this(pool, cost, need, sufficesAlone, false);
    }

    /** Returns the facts that the line needs. */
    Demand demand() {
        return new Demand(cost, need, sufficesAlone, countsByOutcome);
    }

    /** Whether callers can freely choose which of such pools makes them wait. */
    boolean isMadeUp() {
        return pool.family().origin != Origin.VERIFIED;
    }

    /**
     * Returns the source from which the call may get the permits that it lacks. Outcomes are checked twice. At the
     * first check, a returned permit may be on its way to the store, where the check of the store then finds it. By the
     * second check, another call may have taken it.
     *
     * @param mayAskStore whether the store may still have permits. If it has just said that it has none, or if it is
     *     closed, only calls in flight can help
     */
    public Prospect prospect(boolean mayAskStore, long nowMillis) {
        boolean mayBeReturned = mayBeReturned(nowMillis);
        if (mayAskStore && pool.mayBeGranted(need, nowMillis)) {
            return Prospect.STORE;
        }
        return mayBeReturned || mayBeReturned(nowMillis) ? Prospect.OUTCOMES : Prospect.NOTHING;
    }

    /**
     * Whether a call that is not in line yet need not join it. That is so if it has no prospect, or if too many calls
     * already await the same outcomes.
     */
    public boolean isHopeless(boolean mayAskStore, long nowMillis) {
        return switch (prospect(mayAskStore, nowMillis)) {
            case STORE -> false;
            case OUTCOMES -> !pool.openLine().hasRoom(mostAwaitingOutcomes());
            case NOTHING -> true;
        };
    }

    /** Whether calls in flight may return enough permits here or, as far as this instance knows, elsewhere. */
    private boolean mayBeReturned(long nowMillis) {
        return countsByOutcome && (pool.mayBeReturned(need, nowMillis) || pool.mayBeReturnedElsewhere(nowMillis));
    }

    /** Returns how many calls may await outcomes at the pool. */
    long mostAwaitingOutcomes() {
        return MOST_OUTCOMES * pool.family().tier.limit().threshold();
    }
}
