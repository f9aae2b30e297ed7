package dev.sluice.limiter.balance;

import dev.sluice.limiter.shared.SharedSnapshot;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Limit;

/**
 * How many ungranted permits calls of one shared pool may use: the slack, and while the store is away what
 * {@code onFailure} allows. Not safe for several threads.
 */
public final class UngrantedPermits {

    /** The slack is at most this fraction of what is left, so that even twenty instances together hardly exceed it. */
    private static final int SLACK_DIVISOR = 40;

    private final Balance balance;
    private final KnownUsage known;
    private final long slack;

    public UngrantedPermits(Balance balance, KnownUsage known, long slack) {
        this.balance = balance;
        this.known = known;
        this.slack = slack;
    }

    /** How calls are decided while the store is away. */
    public static SharedSnapshot.State stateInAbsence(OnFailure policy) {
        return policy == OnFailure.DENY ? SharedSnapshot.State.DENYING : SharedSnapshot.State.WITHOUT_STORE;
    }

    /** What may be used while the store is away, if this much is left as far as known. */
    public static long allowedInAbsence(OnFailure policy, long left) {
        return switch (policy) {
            case LOCAL -> left;
            case ALLOW -> Limit.MAX_THRESHOLD;
            case DENY -> 0;
        };
    }

    /** The store answers: allows the slack, less if the limit is nearly used up, and withdraws more. */
    public void allowSlack(Moment now) {
        long left = known.usage().left(now.millis());
        balance.setUngranted(Math.max(0, Math.min(slack, known.isAnswered() ? left / SLACK_DIVISOR : left)));
    }

    /**
     * The store is away, or late: allows what calls need as far as the policy permits.
     *
     * @param used what was used here and is not counted by the store
     * @param needed what calls need in addition
     */
    public void allowInAbsence(OnFailure policy, long used, long needed, Moment now) {
        long allowed = allowedInAbsence(policy, known.leftInAbsence(stateInAbsence(policy), used, now));
        balance.setUngranted(needed < allowed - used ? used + needed : allowed);
    }
}
