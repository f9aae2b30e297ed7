package dev.sluice.internal.limiter.rule;

/**
 * The usage of a window or frame in which operators have given calls. To the algorithm, it is one that has used so much
 * less; callers are shown a limit that is so much higher. A class of its own, so that only such windows pay for it.
 * Immutable.
 *
 * @param without the usage as if nothing was given, and so much less was used
 * @param given how much was given
 */
public record UsageWithGift(FleetUsage without, long given) implements FleetUsage {

    /** How much was given, according to this usage. */
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
