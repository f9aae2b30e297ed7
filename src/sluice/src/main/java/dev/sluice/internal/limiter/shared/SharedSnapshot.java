package dev.sluice.internal.limiter.shared;

import dev.sluice.internal.limiter.rule.FleetUsage;
import dev.sluice.internal.limiter.rule.Outage;
import dev.sluice.internal.limiter.rule.SharedBucket;
import dev.sluice.internal.limiter.rule.UsageWithGift;
import dev.sluice.limits.SharingOptions.OnFailure;

/**
 * The facts that calls need to know about a shared counter. Immutable. The background thread publishes each snapshot
 * with a volatile write.
 *
 * @param usage the known usage of the fleet; during an outage and shortly afterwards, the usage of this instance's part
 * @param ungranted the number of ungranted permits that are in hand or were used since the last report. These permits
 *     are slack, or {@code onFailure} allows them while the store is unavailable
 * @param lowWater the low-water mark; a call that leaves fewer permits in hand than this number requests a check
 */
public record SharedSnapshot(Mode mode, FleetUsage usage, long ungranted, long lowWater, Outlook outlook) {

    /**
     * Further facts from the latest answer. The facts are the same for most counters, so these counters share one
     * object to save memory.
     *
     * @param isCalm whether the limit was calm at the last answer or, before the first answer, in the previous window;
     *     see {@link dev.sluice.internal.limiter.rule.Slack}
     * @param elsewhere the number of unspent permits that other instances held when the store last answered, if these
     *     permits can be recalled
     * @param usedUpUntilMillis the time until which the limit is considered used up because the store could not grant
     *     the needed permits; 0 if the store has to be asked
     * @param usedUpSinceMillis the time since which the limit has been considered used up although calls on other
     *     instances might return permits; 0 if no call can return any permits
     * @param retryAtMillis the time when a retry might pass because the lease of an unresponsive instance ends. It is
     *     {@link Long#MAX_VALUE} if no lease is expected to end. It is 0 if a retry might pass at any moment, because
     *     other instances might still have permits
     */
    public record Outlook(
            boolean isCalm, long elsewhere, long usedUpUntilMillis, long usedUpSinceMillis, long retryAtMillis) {

        private static final Outlook CALM = new Outlook(true, 0, 0, 0, Long.MAX_VALUE);
        private static final Outlook NOT_CALM = new Outlook(false, 0, 0, 0, Long.MAX_VALUE);

        /** Returns the outlook if the limit is not used up and no other instance holds permits. */
        public static Outlook plain(boolean isCalm) {
            return isCalm ? CALM : NOT_CALM;
        }

        /** Returns the shared object if it is equal to this outlook; otherwise returns this outlook. */
        public Outlook shared() {
            Outlook plain = plain(isCalm);
            return equals(plain) ? plain : this;
        }
    }

    /** How calls of a shared counter are decided. */
    public enum Mode {
        /** The store has not answered yet, so a call without a permit waits. */
        NEW,
        /** The store has answered, so a call without a permit waits unless the limit is known to be used up. */
        SHARED,
        /**
         * The store is unavailable, so this instance admits calls based on what it knows about its part of the limit.
         */
        WITHOUT_STORE,
        /** The store is unavailable and {@code onFailure} is {@code deny}, so calls can use only permits in hand. */
        DENYING,
        /**
         * The store is available again, but some instances might not have reported yet. A call without a permit can
         * wait for permits from this instance's part.
         */
        STORE_BACK;

        /** Returns how calls are decided during an outage or shortly afterwards. */
        public static Mode during(Outage outage) {
            if (outage.isOver()) {
                return STORE_BACK;
            }
            return outage.policy() == OnFailure.DENY ? DENYING : WITHOUT_STORE;
        }
    }

    /**
     * Creates the snapshot before the store's first answer. A call that takes any of the ungranted permits requests a
     * check.
     */
    static SharedSnapshot first(Mode mode, boolean wasCalm, FleetUsage initial, long ungranted) {
        return new SharedSnapshot(mode, initial, ungranted, ungranted, Outlook.plain(wasCalm));
    }

    /** Returns the known number of calls that operators have given in the current window. */
    long given() {
        return UsageWithGift.givenOf(usage);
    }

    /**
     * Returns the number of remaining permits of the limit that are not in hand; negative if there are ungranted
     * permits.
     */
    long leftNotInHand(long nowMillis) {
        return usage.left(nowMillis) + outlook.elsewhere - ungranted;
    }

    boolean isWithoutStore() {
        return mode == Mode.WITHOUT_STORE;
    }

    /**
     * Returns when a queued call that was admitted without the store may proceed, given the number of permits that the
     * call left in hand.
     */
    long turn(long inHand, long cost, long nowMillis) {
        return usage.after(Math.max(0, ungranted - inHand), nowMillis) instanceof SharedBucket.Usage bucket
                ? nowMillis + bucket.millisUntilTurn(Math.max(1, cost), nowMillis)
                : nowMillis;
    }

    /**
     * Whether a call might get the permits that it needs by waiting. The store does not know about overage that is
     * withheld because of high load. While overage is withheld, a call therefore waits only for permits that are known
     * to remain. An exchange could only provide further permits that the call is not allowed to take.
     */
    boolean mayBeGranted(long need, long withheld, long inHand, long nowMillis) {
        long known = leftNotInHand(nowMillis) + inHand - withheld;
        return switch (mode) {
            case NEW -> true;
            case SHARED -> known >= need || (withheld == 0 && nowMillis >= outlook.usedUpUntilMillis);
            case WITHOUT_STORE -> known >= need;
            case STORE_BACK -> known >= need && nowMillis >= outlook.usedUpUntilMillis;
            case DENYING -> false;
        };
    }

    /**
     * Returns the time until the given number of permits is available if no other calls arrive. If enough permits are
     * already available, the call has waited for the store in vain and can be retried immediately.
     */
    long retryMillis(long cost, long nowMillis) {
        long ofUsage = usage.left(nowMillis) - ungranted >= cost ? 1 : usage.millisUntil(cost, nowMillis);
        return outlook.retryAtMillis == Long.MAX_VALUE
                ? ofUsage
                : Math.min(ofUsage, Math.max(1, outlook.retryAtMillis - nowMillis));
    }
}
