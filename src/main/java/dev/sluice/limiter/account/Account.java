package dev.sluice.limiter.account;

import dev.sluice.CounterKey;
import dev.sluice.limiter.balance.Balance;
import dev.sluice.limiter.balance.Moment;
import dev.sluice.limiter.shared.SharedPool;
import org.jspecify.annotations.Nullable;

/**
 * What the background keeps for one shared pool, and the life of that. {@link DueCheck} says when there is something to tell
 * or ask of the store, {@link ClaimBuilder} what, {@link StoreAnswers} what comes of it, {@link StoreAbsence} what holds without the
 * store, {@link Recall} which calls wait. For one thread.
 */
public final class Account implements SharedPool.Attachment {

    /** Where an account is in its life. */
    private enum Phase {
        /** Something is used, held or wanted: it is looked at each tick. */
        ACTIVE,
        /** All is told, and nothing is held: it waits for a call. */
        IDLE,
        /** Nothing is asked for it any more. */
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
    private Phase phase = Phase.IDLE;

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

    // ---- What is known of it

    /** Whether the store has told anything of it yet. */
    public boolean isHeard() {
        return state.known.isHeard();
    }

    /** Whether a claim is under way. */
    public boolean isAsking() {
        return state.record.isAsking();
    }

    /** How much was used here in all. */
    public long used() {
        return state.balance.state().used();
    }

    /** What was used here and the store does not know of. */
    public long debt() {
        return state.balance.unreported(state.balance.state());
    }

    /** Whether the store believes that something is held or in use here, or may soon. */
    public boolean mayHold() {
        return state.record.isAny() || state.record.isAsking();
    }

    /** Whether others may recall something from here, or news of others matter here. */
    public boolean isInterested() {
        boolean mayBeUsedUp = isHeard() && phase == Phase.ACTIVE;
        return phase != Phase.CLOSED
                && (state.record.isAny() || state.known.isUsedUp() || recall.isWaiting() || mayBeUsedUp);
    }

    /** Whether the store counts calls that were refused after all. */
    public boolean owesRefund() {
        return state.owesRefund();
    }

    /** Whether calls hold permits and have not decided yet to keep them. */
    public boolean hasUndecidedCalls() {
        return state.hasUndecidedCalls();
    }

    /** Whether a last claim tells the store what it does not know, or returns what is held. */
    public boolean hasLastNews() {
        Balance.State sums = state.balance.state();
        return state.isNews(sums) || sums.held() > 0;
    }

    // ---- Its life

    public boolean isActive() {
        return phase == Phase.ACTIVE;
    }

    public boolean isClosed() {
        return phase == Phase.CLOSED;
    }

    /** An idle account is looked at each tick from now on; whether it was idle. */
    public boolean activate(Moment now) {
        boolean wasIdle = phase == Phase.IDLE;
        if (wasIdle) {
            enter(Phase.ACTIVE, now);
        }
        return wasIdle;
    }

    /** From now on each call is noted, if everything is told; a call may have come before it knew. */
    public void rest(Moment now) {
        if (isIdle(now)) {
            enter(Phase.IDLE, now);
            if (!isIdle(now)) {
                enter(Phase.ACTIVE, now);
            }
        }
    }

    private void enter(Phase next, Moment now) {
        become(next);
        state.publish(now); // from which reading on a call is noted depends on it
    }

    private void become(Phase next) {
        phase = next;
        state.awaitsCall = next == Phase.IDLE;
    }

    /** Whether it has been told everything and holds nothing, so that it need not be looked at until a call comes. */
    public boolean isIdle(Moment now) {
        return state.isAllTold(state.balance.state()) && !isAsking() && !recall.isWaiting() && state.share.isQuiet(now);
    }

    /** Closes the pool if its time is over; whether nothing is to be taken from it any more. */
    public boolean closePoolIfOver(Moment now) {
        return state.closePoolIfOver(now);
    }

    /** Whether the pool is over and the store knows all that matters. */
    public boolean isDone(Moment now) {
        if (!pool.permits.isClosed() || hasUndecidedCalls() || isAsking()) {
            return false;
        }
        Balance.State sums = state.balance.state();
        return state.isUseless(sums, now) || state.known.isOverAlone(sums.used(), now);
    }

    /** Nothing is asked for it any more. */
    public void close() {
        become(Phase.CLOSED);
    }

    /** Opens a closed account again if a call has returned something that the store should know of; whether it did. */
    public boolean reopen(Moment now) {
        boolean isOfUse = phase == Phase.CLOSED && hasLastNews() && !state.isUseless(state.balance.state(), now);
        if (isOfUse) {
            become(Phase.IDLE);
        }
        return isOfUse;
    }

    /** Reports the places of another from now on, which has to report nothing any more; whether calls take places. */
    public boolean takeOverPlaces(Account other) {
        if (!state.isConcurrency) {
            return false;
        }
        places.takeOver(other.places);
        state.record.takeOver(other.state.record);
        return true;
    }

    /** Who reports the places of this account, if it is closed and calls are still under way. */
    @Nullable public Account successor() {
        return places.successor();
    }
}
