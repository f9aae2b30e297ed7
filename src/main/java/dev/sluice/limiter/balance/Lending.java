package dev.sluice.limiter.balance;

import dev.sluice.limiter.shared.SharedSnapshot;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Limit;

/**
 * What calls may use of one shared pool without a grant: the slack, and while the store is away what {@code onFailure}
 * allows. For one thread.
 */
public final class Lending {

    /**
     * The slack that is lent is at most this part of what is left, so that even twenty instances together hardly lend
     * more than there is.
     */
    private static final int PART_LENT = 40;

    private final Balance balance;
    private final Knowledge known;
    private final long slack;

    public Lending(Balance balance, Knowledge known, long slack) {
        this.balance = balance;
        this.known = known;
        this.slack = slack;
    }

    /** Who decides on calls while the store is away. */
    public static SharedSnapshot.Phase phaseAlone(OnFailure policy) {
        return policy == OnFailure.DENY ? SharedSnapshot.Phase.DENYING : SharedSnapshot.Phase.ALONE;
    }

    /** What may be used in the absence of the store, given what is left as far as is known. */
    public static long allowedAlone(OnFailure policy, long left) {
        return switch (policy) {
            case LOCAL -> left;
            case ALLOW -> Limit.MAX_THRESHOLD;
            case DENY -> 0;
        };
    }

    /** The store answers: the slack is lent, less where the limit is near. What was lent beyond it is withdrawn. */
    public void lendSlack(Moment now) {
        long left = known.usage().left(now.millis());
        balance.lend(Math.max(0, Math.min(slack, known.isHeard() ? left / PART_LENT : left)));
    }

    /**
     * The store is away, or late: what calls need is lent as far as the policy allows.
     *
     * @param used what was used here and the store does not count
     * @param needed by calls, beyond that
     */
    public void lendAlone(OnFailure policy, long used, long needed, Moment now) {
        long allowed = allowedAlone(policy, known.leftAlone(phaseAlone(policy), used, now));
        balance.lend(needed < allowed - used ? used + needed : allowed);
    }
}
