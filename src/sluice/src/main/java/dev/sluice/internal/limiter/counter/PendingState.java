package dev.sluice.internal.limiter.counter;

/**
 * The state of a pending call. Only the transitions in this drawing are possible.
 *
 * <pre>
 *   ASKS_STORE ─── grace period ends ──▶ WAITS_FOR_STORE          EXPECTS_OUTCOMES
 *       │                                       │                       │ (there is no store)
 *       └───────────────────┬───────────────────┴───────────────────────┘
 *                           │ the store has too few permits, but calls in flight might return enough
 *                           ▼
 *                    AWAITS_OUTCOMES
 *     permits were returned │  ▲ still too few permits, but more might be returned
 *                           ▼  │
 *                       ASKS_AGAIN ── time for outcomes ends ──▶ ASKS_LAST (if there is a store)
 *
 *   each of these ─── an attempt takes all permits that the call needs ──────▶ TAKEN
 *                 ─── no more permits are expected, or the call times out ───▶ REFUSED
 *                 ─── the caller gives up, or too many calls are pending ────▶ GAVE_UP
 * </pre>
 */
enum PendingState {
    /**
     * The call is asking the store. A healthy store replies within the call's grace period. During that period, the
     * call is not counted as pending.
     */
    ASKS_STORE,
    /** The call is asking the store and is counted as waiting. */
    WAITS_FOR_STORE,
    /** There is no store, and it is not known yet whether the call may await outcomes. */
    EXPECTS_OUTCOMES,
    /**
     * Calls in flight might return the permits that the call lacks. The call is not asking the store, and is counted as
     * awaiting outcomes.
     */
    AWAITS_OUTCOMES,
    /**
     * Like {@code AWAITS_OUTCOMES}, but permits were returned, so the call is asking for all permits that it lacks. Its
     * time limit is unchanged.
     */
    ASKS_AGAIN,
    /**
     * The call's time for outcomes is over, and the call is asking the store one last time. It is counted both as
     * waiting and as awaiting outcomes.
     */
    ASKS_LAST,
    TAKEN,
    REFUSED,
    /** The call is refused because it could not stay in line. */
    GAVE_UP;

    /** Returns the next state. Throws an exception if the drawing contains no arrow to that state. */
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

    /** Whether the time limit for the store applies to the call. */
    boolean isBoundByStore() {
        return this == ASKS_STORE || this == WAITS_FOR_STORE || this == ASKS_LAST;
    }

    /** Whether the time limit for outcomes applies to the call. */
    boolean isBoundByOutcomes() {
        return this == EXPECTS_OUTCOMES || this == AWAITS_OUTCOMES || this == ASKS_AGAIN;
    }

    /** Whether the call is asking the store and has not awaited outcomes yet. */
    boolean isFirstWait() {
        return this == ASKS_STORE || this == WAITS_FOR_STORE;
    }

    /** Whether the call is counted as waiting for the store. */
    boolean countsAsWaiting() {
        return this == WAITS_FOR_STORE || this == ASKS_LAST;
    }

    /** Whether the call is counted as awaiting outcomes. */
    boolean countsAsAwaiting() {
        return this == AWAITS_OUTCOMES || this == ASKS_AGAIN || this == ASKS_LAST;
    }
}
