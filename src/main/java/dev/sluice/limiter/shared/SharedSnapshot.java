package dev.sluice.limiter.shared;

import dev.sluice.limiter.rule.FleetUsage;

/**
 * What calls need to know of a shared counter: one immutable value, which the background publishes by one volatile
 * write.
 *
 * @param phase who decides at this moment
 * @param usage what is known of the fleet
 * @param lent how many of the permits in hand, or of those used since the store was last told, were never granted: the
 *     slack, or what {@code onFailure} allows while the store is away
 * @param elsewhere the permits that other instances held unspent when the store was last asked
 * @param usedUpUntilMillis until when the limit counts as used up, since the store could not grant what was needed; 0 if
 *     the store has to be asked
 * @param lowWater with fewer permits than this in hand, a call tells the background
 * @param retryAtMillis when permits of a silent instance are free again, and a retry passes at the latest; {@link
 *     Long#MAX_VALUE} if that is not expected
 */
public record SharedSnapshot(
        Phase phase,
        FleetUsage usage,
        long lent,
        long elsewhere,
        long usedUpUntilMillis,
        long lowWater,
        long retryAtMillis) {

    /** The life of a shared counter, as calls see it. */
    public enum Phase {
        /** The store has told nothing of it yet: a call that finds no permit waits. */
        NEW,
        /** The store was heard: a call that finds no permit waits, unless the limit is known to be used. */
        SHARED,
        /** The store is away: this instance lends what the limit allows, as time goes by. */
        ALONE,
        /** The store is away, and the file says to deny: permits in hand are all there is. */
        DENYING
    }

    /** What is known before the store has told anything. A call tells the background once all that was lent is taken. */
    static SharedSnapshot first(Phase phase, FleetUsage unheard, long lent) {
        return new SharedSnapshot(phase, unheard, lent, 0, 0, lent, Long.MAX_VALUE);
    }

    /** What is left of the limit beyond the permits in hand; negative where permits were lent. */
    public long leftBeyondHand(long nowMillis) {
        return usage.left(nowMillis) + elsewhere - lent;
    }

    /** Whether a call that needs so much, and finds so few permits in hand, may get it by waiting. */
    public boolean mayGet(long need, long inHand, long nowMillis) {
        return switch (phase) {
            case NEW -> true;
            case SHARED -> nowMillis >= usedUpUntilMillis || leftBeyondHand(nowMillis) + inHand >= need;
            case ALONE -> leftBeyondHand(nowMillis) - elsewhere + inHand >= need; // what others hold cannot be recalled
            case DENYING -> false;
        };
    }

    /**
     * The time until so much is left, if nobody else calls. A call that was refused although so much is left has waited
     * for the store in vain: it may try again at once.
     */
    public long retryMillis(long cost, long nowMillis) {
        long ofUsage = usage.left(nowMillis) - lent >= cost ? 1 : usage.millisUntil(cost, nowMillis);
        return retryAtMillis == Long.MAX_VALUE ? ofUsage : Math.min(ofUsage, Math.max(1, retryAtMillis - nowMillis));
    }
}
