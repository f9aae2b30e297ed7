package dev.sluice.limiter.account;

import dev.sluice.limiter.balance.Balance;
import dev.sluice.limiter.balance.Moment;
import dev.sluice.limiter.shared.SharedPool;
import dev.sluice.limits.SharingOptions.OnFailure;

/**
 * What calls may use of one account while the store is away, or late, according to {@code onFailure}. Not safe for
 * several threads.
 */
public final class StoreAbsence {

    private final AccountState state;
    private final SharedPool pool;

    StoreAbsence(AccountState state) {
        this.state = state;
        this.pool = state.pool;
    }

    /** The store is away: allows what the policy says until it answers again. */
    public void begin(OnFailure policy, Moment now) {
        Balance.State sums = state.balance.state();
        pool.history.frames.raiseTo(pool.start, sums.used());
        state.ungranted.allowInAbsence(policy, unreportedBeyondShare(sums), Long.MAX_VALUE, now);
        state.publish(now);
    }

    /** The store answers again: withdraws unused ungranted permits. */
    public void end(Moment now) {
        state.known.endAbsence();
        state.ungranted.allowSlack(now);
        state.publish(now);
    }

    /**
     * Calls waited for the timeout without an answer: the policy decides about them. They get the permits they need as
     * far as it allows; no other call does.
     */
    public void decide(OnFailure policy, Moment now) {
        if (policy != OnFailure.DENY) {
            long used = unreportedBeyondShare(state.balance.state());
            state.ungranted.allowInAbsence(policy, used, pool.waiting.needed(), now);
            state.known.endAbsence();
        }
        state.recall.giveUp(now);
        state.publish(now);
    }

    /** What was used here and is not counted by the store. */
    private long unreportedBeyondShare(Balance.State sums) {
        return Math.max(0, state.balance.unreported(sums) - state.record.held());
    }
}
