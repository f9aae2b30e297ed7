package dev.sluice.limiter.account;

import dev.sluice.limiter.balance.Balance;
import dev.sluice.limiter.balance.Moment;
import dev.sluice.limiter.shared.SharedPool;
import dev.sluice.limits.SharingOptions.OnFailure;

/** What calls may use of one account while the store is away, or late, as the policy says. For one thread. */
public final class StoreAbsence {

    private final AccountState state;
    private final SharedPool pool;

    StoreAbsence(AccountState state) {
        this.state = state;
        this.pool = state.pool;
    }

    /** The store is away: until it is heard again, so much may be used as the policy says. */
    public void begin(OnFailure policy, Moment now) {
        Balance.State sums = state.balance.state();
        pool.history.frames.raiseTo(pool.start, sums.used());
        state.lending.lendAlone(policy, unreportedBeyondShare(sums), Long.MAX_VALUE, now);
        state.publish(now);
    }

    /** The store is back: what was lent in its absence is withdrawn as far as it is unused. */
    public void end(Moment now) {
        state.known.endAlone();
        state.lending.lendSlack(now);
        state.publish(now);
    }

    /**
     * Calls have waited for the timeout, and the store has not answered: the policy decides on them. They are lent what
     * they need as far as it allows; nobody else is.
     */
    public void decide(OnFailure policy, Moment now) {
        if (policy != OnFailure.DENY) {
            long used = unreportedBeyondShare(state.balance.state());
            state.lending.lendAlone(policy, used, pool.waiting.needed(), now);
            state.known.endAlone();
        }
        state.recall.giveUp(now);
        state.publish(now);
    }

    /** What was used here and the store does not count. */
    private long unreportedBeyondShare(Balance.State sums) {
        return Math.max(0, state.balance.unreported(sums) - state.record.held());
    }
}
