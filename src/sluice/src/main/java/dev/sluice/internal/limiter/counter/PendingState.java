package dev.sluice.internal.limiter.counter;

/**
 * The state of a pending call. A transition that is not drawn cannot be made.
 *
 * <pre>
 *   ASKS_STORE ─── its grace is over ──▶ WAITS_FOR_STORE          EXPECTS_OUTCOMES
 *       │                                       │                       │ (there is no store)
 *       └───────────────────┬───────────────────┴───────────────────────┘
 *                           │ the store has nothing, but calls in flight may return enough
 *                           ▼
 *                    AWAITS_OUTCOMES
 *       something came back │  ▲ that was not enough, but more may come back
 *                           ▼  │
 *                       ASKS_AGAIN ── its time for outcomes is over ──▶ ASKS_LAST (if there is a store)
 *
 *   each of these ─── an attempt has taken all it needs ───▶ TAKEN
 *                 ─── nothing can come any more, or its time is over ───▶ REFUSED
 *                 ─── its caller gives up, or too many calls wait ───▶ GAVE_UP
 * </pre>
 */
enum PendingState {
    /**
     * It asks the store. A healthy store answers within the call's grace period, in which the call does not count among
     * any pending calls.
     */
    ASKS_STORE,
    /** It asks the store, and counts among the calls that wait. */
    WAITS_FOR_STORE,
    /** There is no store, and it is not known yet whether the call may await outcomes. */
    EXPECTS_OUTCOMES,
    /**
     * Calls in flight may return the permits that it lacks. It asks the store for nothing, and counts among the calls
     * that await outcomes.
     */
    AWAITS_OUTCOMES,
    /** The same, but permits came back, so it asks for all permits that it lacks. Its time limit stays. */
    ASKS_AGAIN,
    /**
     * It has awaited outcomes for long enough, and asks the store a last time. It counts among the calls that wait and
     * among those that await outcomes.
     */
    ASKS_LAST,
    TAKEN,
    REFUSED,
    /** It is refused like {@link #REFUSED}, but could not stay pending to the end. */
    GAVE_UP;

    /** The next state. Throws if no arrow leads there. */
    PendingState to(PendingState next) {
        if (!leadsTo(next)) {
            throw new IllegalStateException("A pending call cannot go from " + this + " to " + next);
        }
        return next;
    }

    private boolean leadsTo(PendingState next) {
        return switch (this) {
            case ASKS_STORE -> next == WAITS_FOR_STORE || next == AWAITS_OUTCOMES || next.isDecided();
            case WAITS_FOR_STORE, EXPECTS_OUTCOMES -> next == AWAITS_OUTCOMES || next.isDecided();
            case AWAITS_OUTCOMES -> next == ASKS_AGAIN || next.isDecided();
            case ASKS_AGAIN -> next == AWAITS_OUTCOMES || next == ASKS_LAST || next.isDecided();
            case ASKS_LAST -> next.isDecided();
            case TAKEN, REFUSED, GAVE_UP -> false;
        };
    }

    boolean isDecided() {
        return this == TAKEN || this == REFUSED || this == GAVE_UP;
    }

    /** Whether its time for the store bounds it. */
    boolean isBoundByStore() {
        return this == ASKS_STORE || this == WAITS_FOR_STORE || this == ASKS_LAST;
    }

    /** Whether its time for outcomes bounds it. */
    boolean isBoundByOutcomes() {
        return this == EXPECTS_OUTCOMES || this == AWAITS_OUTCOMES || this == ASKS_AGAIN;
    }

    /** Whether it has not awaited outcomes yet, and asks the store. */
    boolean isFirstWait() {
        return this == ASKS_STORE || this == WAITS_FOR_STORE;
    }

    /** Whether it counts among the calls that wait for the store. */
    boolean countsAsWaiting() {
        return this == WAITS_FOR_STORE || this == ASKS_LAST;
    }

    /** Whether it counts among the calls that await outcomes. */
    boolean countsAsAwaiting() {
        return this == AWAITS_OUTCOMES || this == ASKS_AGAIN || this == ASKS_LAST;
    }
}
