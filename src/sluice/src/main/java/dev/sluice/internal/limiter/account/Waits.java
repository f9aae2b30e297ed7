package dev.sluice.internal.limiter.account;

import static dev.sluice.internal.limiter.rule.InstanceProtocol.RETURN_PAUSE_AFTER_FAILURE_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.recallPauseNanos;

/**
 * The waits for permits of one account. Calls on this instance might need permits that other instances hold, and calls
 * on other instances might need permits that this instance holds. Immutable.
 *
 * <pre>
 *   here      NOBODY ── a call finds no permit ──▶ UNANSWERED ── answer: others hold permits ──▶ OTHERS_HOLD
 *             NOBODY ◀── granted, or refused ────────────┤                                            │
 *             NOBODY ◀── no answer for two sync.timeout ─┘                                            │
 *             NOBODY ◀── granted, refused, or abandoned after sync.timeout ───────────────────────────┤
 *             UNANSWERED ◀── answer: others no longer hold permits, but calls are still waiting ──────┘
 *   elsewhere isRecalled: false ── RECALLED news ──▶ true ── a statement made since then is answered ──▶ false
 * </pre>
 *
 * @param sinceNanos the time since which calls on this instance have been waiting without any grant
 * @param othersHoldSinceMillis the time when the store first reported, according to its own clock, that other instances
 *     hold the permits that these calls need; 0 if it has not reported this
 * @param repeats the number of times that permits have been recalled for the calls that are waiting on this instance
 * @param askAgainNanos the earliest time to ask the store again for permits
 * @param returnNanos the earliest time to return recalled permits
 * @param isRecalled whether another instance needs permits that this instance holds
 * @param recalls the number of times that other instances have needed permits that this instance holds
 * @param recalledNanos the time when another instance last needed permits that this instance holds
 */
public record Waits(
        Here here,
        long sinceNanos,
        long othersHoldSinceMillis,
        int repeats,
        long askAgainNanos,
        long returnNanos,
        boolean isRecalled,
        int recalls,
        long recalledNanos) {

    /** The state of the calls that are waiting on this instance, including what the store has answered. */
    public enum Here {
        NOBODY,
        /** Calls are waiting, and the store has not answered yet. */
        UNANSWERED,
        /** The store has recalled the permits that calls are waiting for. */
        OTHERS_HOLD
    }

    private static final long LONG_AGO_NANOS = Long.MIN_VALUE / 2;

    /** The value shared by all accounts at which no call has ever waited. Most accounts never have any other value. */
    static final Waits NONE = new Waits(Here.NOBODY, 0, 0, 0, LONG_AGO_NANOS, LONG_AGO_NANOS, false, 0, 0);

    private Waits here(Here next, long since, long othersHoldSince, int times, long askAgain) {
        return new Waits(
                next, since, othersHoldSince, times, askAgain, returnNanos, isRecalled, recalls, recalledNanos);
    }

    private Waits elsewhere(long from, boolean recalled, int times, long last) {
        return new Waits(here, sinceNanos, othersHoldSinceMillis, repeats, askAgainNanos, from, recalled, times, last);
    }

    // ---- Calls waiting on this instance

    boolean isWaiting() {
        return here != Here.NOBODY;
    }

    /**
     * Returns the cut-off time for calls that are waiting on this instance. The result is {@code unansweredNanos} while
     * these calls are waiting for the store's answer. It is {@code othersHoldNanos} while other instances hold the
     * permits that these calls need.
     */
    public long tooLongSinceNanos(long unansweredNanos, long othersHoldNanos) {
        return here == Here.UNANSWERED ? unansweredNanos : othersHoldNanos;
    }

    /** Whether calls have been waiting since the given time or longer. */
    public boolean isWaitingSince(long nanos) {
        return isWaiting() && sinceNanos - nanos <= 0;
    }

    Waits waits(Moment now) {
        return isWaiting() ? this : here(Here.UNANSWERED, now.nanos(), 0, 0, now.nanos());
    }

    Waits waitsNoMore() {
        return isWaiting() ? here(Here.NOBODY, sinceNanos, 0, repeats, askAgainNanos) : this;
    }

    /** Returns the updated waits after news has arrived. The store can then be asked immediately. */
    Waits asksNow(Moment now) {
        return here(here, sinceNanos, othersHoldSinceMillis, repeats, now.nanos());
    }

    // ---- Calls waiting on other instances

    Waits recalled(Moment now) {
        long from = returnNanos == LONG_AGO_NANOS ? now.nanos() : returnNanos;
        return elsewhere(from, true, recalls + 1, now.nanos());
    }

    /** Whether another instance has needed permits within the given time. If so, no permits are taken ahead. */
    boolean isRecent(long millis, Moment now) {
        return recalls > 0 && !now.isAfter(recalledNanos, millis);
    }

    /**
     * Returns the updated waits after the store has failed to apply a statement. They include a pause, because a store
     * that rejects statements must not be queried in a tight loop.
     */
    Waits failed(Moment now) {
        return elsewhere(now.nanos() + RETURN_PAUSE_AFTER_FAILURE_NANOS, isRecalled, recalls, recalledNanos);
    }

    /**
     * Returns the updated waits after the store has answered a statement. When the statement was made, the number of
     * recalls was {@code recallsThen}. The statement has returned the permits that these recalls concerned.
     */
    Waits noteReply(boolean othersHold, long granted, int recallsThen, Moment now) {
        if (!isWaiting() && !isRecalled && recalls == recallsThen) {
            return this; // no call is waiting
        }
        long since = granted > 0 ? now.nanos() : sinceNanos;
        Waits next = othersHold && isWaiting()
                ? here(
                        Here.OTHERS_HOLD,
                        since,
                        othersHoldSinceMillis == 0 ? now.millis() : othersHoldSinceMillis,
                        repeats + 1,
                        now.nanos() + recallPauseNanos(repeats))
                : here(isWaiting() ? Here.UNANSWERED : Here.NOBODY, since, 0, 0, now.nanos());
        return next.elsewhere(returnNanos, recalls != recallsThen, recalls, recalledNanos);
    }

    /** Returns the earliest time at which to send a statement for the waiting calls. */
    long statementNanos() {
        return isRecalled ? returnNanos : askAgainNanos;
    }
}
