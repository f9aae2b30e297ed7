package dev.sluice.internal.limiter.counter;

import dev.sluice.internal.limiter.counter.CallLine.Demand;
import dev.sluice.limits.Origin;

/**
 * The permits that a call lacks in one pool. Only {@link #prospect} determines whether waiting makes sense. Immutable.
 *
 * @param pool the pool
 * @param cost the number of permits that the call takes
 * @param need the number of permits that must be available for the call to pass
 * @param sufficesAlone whether the call passes once it gets these permits
 * @param countsByOutcome whether calls in flight return their permits if their outcome does not count
 */
public record Shortage(Pool pool, long cost, long need, boolean sufficesAlone, boolean countsByOutcome) {

    /** The maximum number of calls that may await outcomes, as a multiple of the limit's threshold. */
    private static final long MOST_OUTCOMES = 8;

    /** The source from which a waiting call might get the permits that it lacks. */
    public enum Prospect {
        /** The store, or the counter that replaces the pool's counter. */
        STORE,
        /** Calls in flight that might return their permits, depending on their outcomes. */
        OUTCOMES,
        /** There is no such source, so the call is refused. */
        NOTHING
    }

    /** Creates a shortage that does not depend on the outcomes of calls in flight. */
    public Shortage(Pool pool, long cost, long need, boolean sufficesAlone) {
        this(pool, cost, need, sufficesAlone, false);
    }

    /** Returns the data that a {@link CallLine} needs about this call. */
    Demand demand() {
        return new Demand(cost, need, sufficesAlone, countsByOutcome);
    }

    /** Whether callers can freely choose the pool that makes them wait. */
    boolean isMadeUp() {
        return pool.family().origin != Origin.VERIFIED;
    }

    /**
     * Returns the source from which the call might get the permits that it lacks. This method checks the outcomes of
     * calls in flight, then the store, and then the outcomes again. With a single check of the outcomes, it could
     * overlook a permit that a concurrent call returns or takes in between.
     *
     * @param mayAskStore whether the store might still have permits. If the store has just replied that it has none, or
     *     if it is closed, only calls in flight can help
     */
    public Prospect prospect(boolean mayAskStore, long nowMillis) {
        boolean mayBeReturned = mayBeReturned(nowMillis);
        if (mayAskStore && pool.mayBeGranted(need, nowMillis)) {
            return Prospect.STORE;
        }
        return mayBeReturned || mayBeReturned(nowMillis) ? Prospect.OUTCOMES : Prospect.NOTHING;
    }

    /**
     * Whether it is useless for a new call to join the line. This is the case if the call has no prospect, or if too
     * many calls are already awaiting the same outcomes.
     */
    public boolean isHopeless(boolean mayAskStore, long nowMillis) {
        return switch (prospect(mayAskStore, nowMillis)) {
            case STORE -> false;
            case OUTCOMES -> !pool.openLine().hasRoom(mostAwaitingOutcomes());
            case NOTHING -> true;
        };
    }

    /**
     * Whether calls in flight might return enough permits on this instance or, as far as this instance knows, on
     * others.
     */
    private boolean mayBeReturned(long nowMillis) {
        return countsByOutcome && (pool.mayBeReturned(need, nowMillis) || pool.mayBeReturnedElsewhere(nowMillis));
    }

    /** Returns the maximum number of calls that may await outcomes at the pool. */
    long mostAwaitingOutcomes() {
        return MOST_OUTCOMES * pool.family().tier.limit().threshold();
    }
}
