package dev.sluice.internal.limiter.simulation;

import dev.sluice.tier.Limit;

/**
 * One limit as a {@link CallerLedger} keeps it. A call that is decided just as a window ends counts in one of two
 * windows, and it is unknown in which.
 */
public final class JudgedLimit {

    /** How far the time of instances may be from the store's. */
    private static final long CLOCK_MILLIS = 3;

    /**
     * A store joins calls within this part of the time in which a bucket fills, so it gives back by so much too much.
     */
    private static final int GRAINS = 16;

    public Limit limit;
    /** A model to which each call is made when it came, and decided at once. */
    public final LimitModel inOnePlace;

    private final LimitModel surelyUsed;
    private final LimitModel perhapsUsed;
    private long allowedOver;
    private boolean hasGivenBack;
    private long excusedUntilMillis;

    /**
     * Nothing is used yet.
     *
     * @param allowedOver how much may pass beyond the limit
     */
    public JudgedLimit(Limit limit, long allowedOver) {
        this.limit = limit;
        this.allowedOver = allowedOver;
        this.surelyUsed = LimitModel.of(limit);
        this.perhapsUsed = LimitModel.of(limit);
        this.inOnePlace = LimitModel.of(limit);
    }

    /** Whether a window ends, ended or began within this time. */
    public boolean isAtAnEdge(long millis, long within) {
        return (millis + within) % surelyUsed.frameMillis() <= 2 * within;
    }

    /**
     * Whether so much passes, whatever is uncertain.
     *
     * @param lateMillis by how much later than they were made calls may be counted
     */
    public boolean allowsSurely(long cost, long millis, long lateMillis) {
        return perhapsUsed.left(millis - CLOCK_MILLIS - (flows() ? lateMillis : 0)) >= cost
                && perhapsUsed.left(millis) >= cost
                && perhapsUsed.left(millis + CLOCK_MILLIS) >= cost;
    }

    /** Whether it matters when calls were made. */
    private boolean flows() {
        return surelyUsed.frameMillis() == LimitModel.UNCUT;
    }

    /**
     * The most that may be left, whatever is uncertain.
     *
     * @param earlyMillis by how much earlier than they were decided calls may be counted
     */
    public long leftAtMost(long millis, long earlyMillis) {
        return Math.max(surelyUsed.left(millis), surelyUsed.left(millis + CLOCK_MILLIS + flowing(earlyMillis)));
    }

    /** How much longer it may have been filling; nothing unless it flows. */
    private long flowing(long earlyMillis) {
        boolean isJoined = hasGivenBack && surelyUsed instanceof LimitModel.Bucket;
        long grainMillis = isJoined ? limit.capacity() * limit.period().toMillis() / limit.threshold() / GRAINS : 0;
        return flows() ? earlyMillis + grainMillis : 0;
    }

    public long allowedOver() {
        return allowedOver;
    }

    /**
     * The store is unavailable for so long. Where an outage begins, instances go by what they last knew, so more may
     * pass, until all have reported. A bucket counts what is reported late as if it had been full before.
     */
    public void excuseOutage(long beginMillis, long endMillis, long reportedMillis) {
        long periodMillis =
                limit instanceof Limit.Concurrency ? 0 : limit.period().toMillis();
        long excused = limit.byAlgorithm(new Limit.Cases<>(
                (Limit.FixedWindow window) -> Math.min(reportedMillis, nextFrame(beginMillis)),
                (Limit.SlidingWindow window) -> Math.min(reportedMillis, nextFrame(beginMillis) + periodMillis),
                (Limit.SlidingLog log) -> Math.min(reportedMillis, beginMillis + periodMillis),
                (Limit.TokenBucket bucket) -> endMillis + 2 * periodMillis,
                (Limit.LeakyBucket bucket) -> endMillis + 2 * periodMillis,
                (Limit.Concurrency slots) -> reportedMillis));
        excuseUntil(excused);
    }

    private long nextFrame(long millis) {
        return (millis / surelyUsed.frameMillis() + 1) * surelyUsed.frameMillis();
    }

    /** Until then more may pass than the limit allows. */
    public void excuseUntil(long millis) {
        excusedUntilMillis = Math.max(excusedUntilMillis, millis);
    }

    public boolean isExcused(long millis) {
        return millis < excusedUntilMillis;
    }

    /** Allows more calls: an instance has died before it reported what it used. */
    public void allowOver(long more) {
        allowedOver += more;
    }

    /** What the store must record; it may record calls earlier than they were decided, by this time. */
    public long usedAtLeast(long millis, long earlyMillis) {
        return surelyUsed.used(flows() ? millis + CLOCK_MILLIS + flowing(earlyMillis) : millis);
    }

    /** What the store may record; it may record calls later than they were made, by this time. */
    public long usedAtMost(long millis, long lateMillis) {
        return perhapsUsed.used(flows() ? millis - CLOCK_MILLIS - lateMillis : millis);
    }

    public void admit(long cost, long millis) {
        if (!isAtAnEdge(millis, CLOCK_MILLIS)) {
            surelyUsed.admit(cost, millis);
            perhapsUsed.admit(cost, millis);
            return;
        }
        perhapsUsed.admit(cost, millis - CLOCK_MILLIS);
        perhapsUsed.admit(cost, millis + CLOCK_MILLIS);
    }

    /**
     * Calls that may count, although it is unknown whether they were admitted. Their slots come back when the lease
     * ends.
     */
    public void perhapsAdmit(long cost, long millis) {
        if (!(limit instanceof Limit.Concurrency)) {
            perhapsUsed.admit(cost, millis);
        }
    }

    /** An operator has given calls of the window that starts then: from now on, so many more may pass. */
    public void give(long calls, long startMillis) {
        surelyUsed.give(calls, startMillis);
    }

    /** By now every instance must know that. */
    public void haveGiven(long calls, long startMillis) {
        perhapsUsed.give(calls, startMillis);
    }

    /** A call admitted at that moment does not count any more. */
    public void giveBack(long cost, long admittedMillis, long millis) {
        hasGivenBack = true;
        if (!isAtAnEdge(admittedMillis, CLOCK_MILLIS)) {
            surelyUsed.giveBack(cost, admittedMillis, millis, true);
        }
    }

    /** By now every instance must know that {@link #giveBack} has been called. */
    public void haveGivenBack(long cost, long admittedMillis, long millis) {
        if (!isAtAnEdge(admittedMillis, CLOCK_MILLIS)) {
            perhapsUsed.giveBack(cost, admittedMillis, millis, false);
            return;
        }
        perhapsUsed.giveBack(cost, admittedMillis - CLOCK_MILLIS, millis, false);
        perhapsUsed.giveBack(cost, admittedMillis + CLOCK_MILLIS, millis, false);
    }

    /**
     * Another limit begins to apply. Until {@link #hasChanged}, instances go by either.
     *
     * @param allowed how much may pass beyond it
     * @return whether it allows more
     */
    public boolean changes(Limit next, long allowed, long millis) {
        boolean isRaised = next.threshold() > limit.threshold() || next.capacity() > limit.capacity();
        limit = next;
        allowedOver = Math.max(allowedOver, allowed);
        inOnePlace.changeTo(next, millis, true);
        (isRaised ? surelyUsed : perhapsUsed).changeTo(next, millis, isRaised);
        return isRaised;
    }

    /** All instances go by the limit that applies now. */
    public void hasChanged(long millis) {
        surelyUsed.changeTo(limit, millis, true);
        perhapsUsed.changeTo(limit, millis, false);
    }

    public void end(long cost) {
        surelyUsed.end(cost);
        perhapsUsed.end(cost);
    }
}
