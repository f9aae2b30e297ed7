package dev.sluice.internal.limiter.rule;

/**
 * The usage of a window or frame in which operators have given calls. For the algorithm, the given calls are subtracted
 * from the use. For callers, they are added to the limit. This is a separate class so that only windows with given
 * calls need the extra memory. Immutable.
 *
 * @param without the usage as if no calls had been given and {@code given} fewer calls had been used
 * @param given the number of given calls
 */
public record UsageWithGift(FleetUsage without, long given) implements FleetUsage {

    /** Returns how many calls were given according to this usage. */
    public static long givenOf(FleetUsage usage) {
        return usage instanceof UsageWithGift gift ? gift.given : 0;
    }

    @Override
    public long left(long nowMillis) {
        return without.left(nowMillis);
    }

    @Override
    public long millisUntil(long cost, long nowMillis) {
        return without.millisUntil(cost, nowMillis);
    }

    @Override
    public long resetMillis(long used, long nowMillis) {
        return without.resetMillis(used, nowMillis);
    }

    @Override
    public long knownUntilMillis(long nowMillis) {
        return without.knownUntilMillis(nowMillis);
    }

    @Override
    public FleetUsage after(long used, long nowMillis) {
        return new UsageWithGift(without.after(used, nowMillis), given);
    }

    @Override
    public FleetUsage alone(Part part, OwnUse own, long nowMillis) {
        return new UsageWithGift(without.alone(part, own, nowMillis), given);
    }

    @Override
    public FleetUsage continuing(FleetUsage before, long unrecorded, long nowMillis) {
        FleetUsage same = before instanceof UsageWithGift gift ? gift.without : before;
        return new UsageWithGift(without.continuing(same, unrecorded, nowMillis), given);
    }
}
