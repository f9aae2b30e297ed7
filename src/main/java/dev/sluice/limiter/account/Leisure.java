package dev.sluice.limiter.account;

/**
 * Calls that come one by one, so seldom that no share is taken for them, while the next one can still be expected within a
 * lease. One permit is kept for it, so that it need not wait. Permits that nobody comes for cost a statement each, and may
 * have to be recalled: so none is kept for callers who often stay away that long, or whose calls go elsewhere meanwhile.
 *
 * @param calledNanos when a call was last noticed; {@link #NEVER} if none was
 * @param gapNanos the pause before it, if it came by itself and was expected; else 0
 * @param chance how often the next call was in time: 1 for always, and the last ones count most
 */
record Leisure(long calledNanos, long gapNanos, float chance) {

    /** No moment. */
    static final long NEVER = Long.MIN_VALUE;

    /** Nobody has called yet. Whoever comes again is expected to do so once more. */
    static final Leisure UNKNOWN = new Leisure(NEVER, 0, 1);

    /** From this chance on a permit is kept. */
    private static final float ENOUGH = 0.7F;

    /**
     * What one call counts in the chance. With this, one pause of those who were always in time changes nothing, and whose
     * calls went elsewhere has to be in time five times.
     */
    private static final float WEIGHT = 0.25F;

    /** Calls within this part of an interval belong to a burst. */
    private static final int BURST_DIVISOR = 5;

    /** How many quarters of an interval before its lease ends a permit is returned that was kept in vain. */
    private static final int QUARTERS_BEFORE_END = 3;

    private static long keptMillis(Terms terms) {
        return terms.leaseMillis() - QUARTERS_BEFORE_END * terms.everyMillis() / 4;
    }

    /** Whether the last call is so recent that a permit would still be kept for the next one. */
    private boolean isInTime(Terms terms, Moment now) {
        return calledNanos != NEVER && !now.isAfter(calledNanos, keptMillis(terms));
    }

    private boolean isBurst(Terms terms, Moment now) {
        return calledNanos != NEVER && !now.isAfter(calledNanos, terms.everyMillis() / BURST_DIVISOR);
    }

    /** Calls took this many permits since it was last noticed. */
    Leisure called(long permits, Terms terms, Moment now) {
        if (calledNanos == NEVER || isBurst(terms, now)) {
            return new Leisure(now.nanos(), 0, chance);
        }
        boolean isInTime = isInTime(terms, now);
        return new Leisure(
                now.nanos(),
                isInTime && permits == 1 ? now.nanos() - calledNanos : 0,
                chance + WEIGHT * ((isInTime ? 1 : 0) - chance));
    }

    /** Other instances were called since the store's last answer: so a caller who was not in time here is theirs. */
    Leisure calledElsewhere(Terms terms, Moment now) {
        return isInTime(terms, now) ? this : new Leisure(calledNanos, 0, 0);
    }

    /**
     * Whether one more call is expected, and a permit is to be kept for it.
     *
     * @param isWaitedFor whether a call has come by now, and waits for another permit
     */
    boolean expectsOne(Terms terms, boolean isWaitedFor, Moment now) {
        boolean isWindowShort = terms.endMillis() - terms.startMillis() <= terms.leaseMillis();
        if (isWindowShort || chance < ENOUGH || !isInTime(terms, now) || (isWaitedFor && isBurst(terms, now))) {
            return false;
        }
        long gap = isWaitedFor ? now.nanos() - calledNanos : gapNanos;
        return gap > 0 && gap / 1_000_000 < terms.untilEndMillis(now);
    }
}
