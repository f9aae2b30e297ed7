package dev.sluice.limiter.account;

import dev.sluice.CounterKey;
import dev.sluice.limiter.balance.Balance;
import dev.sluice.limiter.balance.Moment;
import dev.sluice.limiter.shared.SharedPool;
import org.jspecify.annotations.Nullable;

/**
 * The background's data for one shared pool, and its life cycle. {@link DueCheck} decides when to send a claim,
 * {@link ClaimBuilder} builds it, {@link StoreAnswers} processes the answer, {@link StoreAbsence} applies while the
 * store is away, {@link Recall} tracks waiting calls. Not safe for several threads.
 */
public final class Account implements SharedPool.Attachment {

    /** Where an account is in its life. */
    private enum Stage {
        /** Something is used, held or wanted: it is checked at each tick. */
        ACTIVE,
        /** All is reported, and nothing is held: it waits for a call. */
        IDLE,
        /** No further claims are sent, unless it is reopened. */
        CLOSED
    }

    public final SharedPool pool;
    public final CounterKey key;
    public final String keyText;
    public final long everyMillis;
    public final Recall recall;
    public final DueCheck due;
    public final ClaimBuilder claims;
    public final StoreAnswers answers;
    public final StoreAbsence absence;

    private final AccountState state;
    private final OccupiedPlaces<Account> places;
    private Stage stage = Stage.IDLE;

    public Account(SharedPool pool, Moment now) {
        this.places = new OccupiedPlaces<>(this, this::used);
        this.state = new AccountState(pool, places, now);
        this.pool = pool;
        this.key = state.key;
        this.keyText = key.text();
        this.everyMillis = state.everyMillis;
        this.recall = state.recall;
        this.due = new DueCheck(state);
        this.claims = new ClaimBuilder(state);
        this.answers = new StoreAnswers(state);
        this.absence = new StoreAbsence(state);
    }

    // ---- State

    /** Whether the store has answered for it yet. */
    public boolean isAnswered() {
        return state.known.isAnswered();
    }

    /** Whether a claim is under way. */
    public boolean isAsking() {
        return state.record.isAsking();
    }

    /** How much was used here in all. */
    public long used() {
        return state.balance.state().used();
    }

    /** What was used here and not reported yet. */
    public long debt() {
        return state.balance.unreported(state.balance.state());
    }

    /** Whether, according to the store, something is or may soon be held or in use here. */
    public boolean mayHold() {
        return state.record.isAnythingCounted() || state.record.isAsking();
    }

    /** Whether the limit is known to be used up. */
    public boolean isUsedUp() {
        return state.known.isUsedUp();
    }

    /** Whether news of other instances matter to this account. */
    public boolean needsNews() {
        boolean mayBeUsedUp = isAnswered() && stage == Stage.ACTIVE;
        return stage != Stage.CLOSED
                && (state.record.isAnythingCounted() || state.known.isUsedUp() || recall.isWaiting() || mayBeUsedUp);
    }

    /** Whether the store counts calls that were refused in the end. */
    public boolean owesRefund() {
        return state.owesRefund();
    }

    /** Whether calls hold permits and have not decided yet to keep them. */
    public boolean hasUndecidedCalls() {
        return pool.permits.hasUndecidedCalls();
    }

    /** Whether a final claim has something to report or to return. */
    public boolean hasFinalClaim() {
        Balance.State sums = state.balance.state();
        return state.hasUnreported(sums) || sums.held() > 0;
    }

    // ---- Life cycle

    public boolean isActive() {
        return stage == Stage.ACTIVE;
    }

    public boolean isClosed() {
        return stage == Stage.CLOSED;
    }

    /** Activates an idle account, so that it is checked at each tick; returns whether it was idle. */
    public boolean activate(Moment now) {
        boolean wasIdle = stage == Stage.IDLE;
        if (wasIdle) {
            enter(Stage.ACTIVE, now);
        }
        return wasIdle;
    }

    /**
     * Makes the account idle if all is reported: then each call requests a check. Checks again, since a call may have
     * come just before.
     */
    public void idleIfReported(Moment now) {
        if (isIdle(now)) {
            enter(Stage.IDLE, now);
            if (!isIdle(now)) {
                enter(Stage.ACTIVE, now);
            }
        }
    }

    private void enter(Stage next, Moment now) {
        become(next);
        state.publish(now); // this changes below how many permits a call requests a check
    }

    private void become(Stage next) {
        stage = next;
        state.awaitsCall = next == Stage.IDLE;
    }

    /** Whether all is reported and nothing is held, so that no check is needed until a call comes. */
    public boolean isIdle(Moment now) {
        return state.isAllReported(state.balance.state())
                && !isAsking()
                && !recall.isWaiting()
                && state.share.isQuiet(now);
    }

    /** Closes the pool if its window is over; returns whether the pool is closed. */
    public boolean closePoolIfOver(Moment now) {
        return state.closePoolIfOver(now);
    }

    /** Whether the pool is closed and everything that matters is reported. */
    public boolean isDone(Moment now) {
        if (!pool.permits.isClosed() || hasUndecidedCalls() || isAsking()) {
            return false;
        }
        Balance.State sums = state.balance.state();
        return state.isReportUseless(sums, now) || state.known.isOverInAbsence(sums.used(), now);
    }

    /** Closes the account. */
    public void close() {
        become(Stage.CLOSED);
    }

    /** Reopens a closed account if a call returned something that the store should know; returns whether it did. */
    public boolean reopen(Moment now) {
        boolean isOfUse =
                stage == Stage.CLOSED && hasFinalClaim() && !state.isReportUseless(state.balance.state(), now);
        if (isOfUse) {
            become(Stage.IDLE);
        }
        return isOfUse;
    }

    /** Reports the places of another account from now on; returns whether the limit has places. */
    public boolean takeOverPlaces(Account other) {
        if (!state.isConcurrency) {
            return false;
        }
        places.takeOver(other.places);
        state.record.takeOver(other.state.record);
        return true;
    }

    /** The account that reports the places of this one, if this one is closed and calls are still under way. */
    @Nullable public Account successor() {
        return places.successor();
    }
}
