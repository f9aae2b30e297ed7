package dev.sluice.limiter.simulation;

import dev.sluice.tier.Limit;

/**
 * One limit as a {@link CallerLedger} keeps it. Calls that are decided just when a window ends count in one of the two,
 * and it is not known in which.
 */
public final class JudgedLimit {

    /** Instances know the store's time to about this. */
    private static final long CLOCK_MILLIS = 3;

    public final Limit limit;
    /** The same calls, each decided at once when it came. */
    public final LimitModel inOnePlace;

    private final LimitModel surelyUsed;
    private final LimitModel perhapsUsed;
    private long allowedOver;

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
     * Whether so much passes, whoever looks.
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
     * What is left, whoever looks.
     *
     * @param earlyMillis by how much earlier than they were decided calls may be counted
     */
    public long leftAtMost(long millis, long earlyMillis) {
        long earlier = millis + CLOCK_MILLIS + (flows() ? earlyMillis : 0);
        return Math.max(surelyUsed.left(millis), surelyUsed.left(earlier));
    }

    public long allowedOver() {
        return allowedOver;
    }

    /** More may pass: an instance has died that had not told what it used. */
    public void allowOver(long more) {
        allowedOver += more;
    }

    /** What the store must count; calls may be counted so much earlier than they were decided. */
    public long usedAtLeast(long millis, long earlyMillis) {
        return surelyUsed.used(flows() ? millis + CLOCK_MILLIS + earlyMillis : millis);
    }

    /** What the store may count; calls may be counted so much later than they were made. */
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

    /** So much may count, though nobody heard that it was admitted; what calls occupy comes back with the lease. */
    public void perhapsAdmit(long cost, long millis) {
        if (!(limit instanceof Limit.Concurrency)) {
            perhapsUsed.admit(cost, millis);
        }
    }

    public void end(long cost) {
        surelyUsed.end(cost);
        perhapsUsed.end(cost);
    }
}
