package dev.sluice.internal.limiter.account;

import org.jspecify.annotations.Nullable;

/**
 * How fast calls come to one account here, and so how many permits it wants in hand: what the recent rate needs until the
 * next exchange, with a margin since calls come in bursts. A burst is not extrapolated.
 *
 * <p>For calls that come one by one, more slowly, no share is taken; but while the next one can be expected within a lease, one
 * permit is kept for it, so that it need not wait. Permits that nobody comes for cost a statement each, and may have to be
 * recalled: so none is kept for callers who often stay away that long, or whose calls go elsewhere meanwhile.
 *
 * <p>There is one for each counter that is called, so it takes as few bytes as it can.
 *
 * @param startNanos when the current interval began
 * @param current the calls of the current interval
 * @param previous the calls of the interval before
 * @param usedSeen the use that these calls include
 * @param changedNanos when a call was last noticed, or something came back
 * @param freeCallNanos when a call was last noticed that is charged afterwards; {@link #NEVER} if none was
 * @param calledNanos when a call was last noticed that took something; {@link #NEVER} if none was
 * @param gapNanos the pause before it, if it came by itself and was expected; else 0
 * @param chance how often the next call was in time: 1 for always, and the last ones count most
 */
public record Pace(
        long startNanos,
        float current,
        float previous,
        long usedSeen,
        long changedNanos,
        long freeCallNanos,
        long calledNanos,
        long gapNanos,
        float chance) {

    /** No moment. */
    static final long NEVER = Long.MIN_VALUE;

    /** Below this many calls per interval, an instance takes no share: each call is reported, or asks, by itself. */
    private static final double LEAST_CALLS = 3;

    private static final double DEVIATIONS = 4;

    /** A share is refilled when it would last this long. */
    private static final long RUNS_LOW_MILLIS = 40;

    /** A share that lasts no longer than this is filled up together with others. */
    private static final long SOON_MILLIS = 200;

    /** It is filled up early only if ten times as much is left; otherwise the store would only be asked more often. */
    private static final int PLENTY = 10;

    /**
     * A counter without calls for this fraction of an interval is quiet; with the tick that detects it, that is less
     * than an interval.
     */
    private static final double QUIET_INTERVALS = 0.74;

    /** From this chance on a permit is kept for a call that comes by itself. */
    private static final float ENOUGH = 0.7F;

    /**
     * What one call counts in the chance. With this, one pause of those who were always in time changes nothing, and whose
     * calls went elsewhere has to be in time five times.
     */
    private static final float WEIGHT = 0.25F;

    /** Calls within this part of an interval belong to a burst. */
    private static final int BURST_DIVISOR = 5;

    /** A kept permit that no call takes goes back this many quarters of an interval before its lease ends. */
    private static final int QUARTERS_BEFORE_END = 3;

    /**
     * The pace of a new window.
     *
     * @param before that of the window before; {@code null} if there was none: whoever comes again is expected once more
     */
    static Pace opened(@Nullable Pace before, Moment now) {
        return before == null
                ? new Pace(now.nanos(), 0, 0, 0, now.nanos(), NEVER, NEVER, 0, 1)
                : new Pace(
                        before.startNanos,
                        before.current,
                        before.previous,
                        0,
                        now.nanos(),
                        NEVER,
                        before.calledNanos,
                        before.gapNanos,
                        before.chance);
    }

    /** The pace of a caller who comes again after a rest, before which this much was used. */
    static Pace rested(long usedSeen, float chance, Terms terms, Moment now) {
        long longAgo = now.nanos() - terms.leaseMillis() * 1_000_000;
        return new Pace(now.nanos(), 0, 0, usedSeen, longAgo, NEVER, longAgo, 0, chance);
    }

    /**
     * With what was used since it was last updated. What came back is no call.
     *
     * @param hadFreeCalls whether calls passed since then that are charged afterwards
     */
    Pace updated(Terms terms, Totals totals, boolean hadFreeCalls, Moment now) {
        Pace latest = at(terms, now);
        long calls = totals.used() - usedSeen;
        if (calls == 0 && !hadFreeCalls) {
            return latest;
        }
        Pace next = calls > 0 ? latest.called(calls, terms, now) : latest;
        return new Pace(
                next.startNanos,
                next.current,
                next.previous,
                totals.used(),
                now.nanos(),
                hadFreeCalls ? now.nanos() : freeCallNanos,
                next.calledNanos,
                next.gapNanos,
                next.chance);
    }

    /** With the intervals of this time. */
    private Pace at(Terms terms, Moment now) {
        long interval = terms.everyMillis() * 1_000_000;
        long elapsed = now.nanos() - startNanos;
        if (elapsed >= 0 && elapsed < interval) {
            return this;
        }
        return elapsed >= 0 && elapsed < 2 * interval
                ? counting(startNanos + interval, 0, current)
                : counting(now.nanos(), 0, 0);
    }

    private Pace counting(long start, float now, float before) {
        return new Pace(start, now, before, usedSeen, changedNanos, freeCallNanos, calledNanos, gapNanos, chance);
    }

    /** Calls took this many permits since one was last noticed. */
    Pace called(long permits, Terms terms, Moment now) {
        boolean isFirst = calledNanos == NEVER || isBurst(terms, now);
        boolean isInTime = isInTime(terms, now);
        return new Pace(
                startNanos,
                current + permits,
                previous,
                usedSeen,
                changedNanos,
                freeCallNanos,
                now.nanos(),
                !isFirst && isInTime && permits == 1 ? now.nanos() - calledNanos : 0,
                isFirst ? chance : chance + WEIGHT * ((isInTime ? 1 : 0) - chance));
    }

    /**
     * Other instances have used the counter since the store's last answer: so a caller who was not in time here calls there.
     */
    Pace calledElsewhere(Terms terms, Moment now) {
        return isInTime(terms, now)
                ? this
                : new Pace(startNanos, current, previous, usedSeen, changedNanos, freeCallNanos, calledNanos, 0, 0);
    }

    /** Whether the last call is so recent that a permit would still be kept for the next one. */
    private boolean isInTime(Terms terms, Moment now) {
        long keptMillis = terms.leaseMillis() - QUARTERS_BEFORE_END * terms.everyMillis() / 4;
        return calledNanos != NEVER && !now.isAfter(calledNanos, keptMillis);
    }

    private boolean isBurst(Terms terms, Moment now) {
        return calledNanos != NEVER && !now.isAfter(calledNanos, terms.everyMillis() / BURST_DIVISOR);
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

    /** The calls within the last interval, estimated from two. */
    double rate(Terms terms, Moment now) {
        Pace latest = at(terms, now);
        double passed = (double) (now.nanos() - latest.startNanos) / (terms.everyMillis() * 1_000_000);
        return latest.current + latest.previous * (1 - passed);
    }

    /** Whether no call came for nearly an interval, so that no share is kept, but perhaps one permit. */
    boolean isQuiet(Terms terms, Moment now) {
        return now.isAfter(changedNanos, (long) (QUIET_INTERVALS * terms.everyMillis()));
    }

    /**
     * How many permits to have in hand after an exchange.
     *
     * @param mayKeepOne whether a single permit is of use to a call that comes by itself
     */
    long share(Terms terms, Totals totals, boolean mayKeepOne, Moment now) {
        if (!terms.isConcurrency()) {
            return shareForCalls(terms, mayKeepOne && expectsOne(terms, totals.isWaitedFor(), now), now);
        }
        return terms.isStrict() || totals.used() == 0 || isQuiet(terms, now) ? 0 : 1 + totals.used() / 4;
    }

    /** How much of what is held is to be returned: more than twice the share, or whatever a caller has left behind. */
    long surplus(Terms terms, Totals totals, long held, boolean mayKeepOne, Moment now) {
        long share = share(terms, totals, mayKeepOne, now);
        return held > (isQuiet(terms, now) ? share : 2 * share) ? held - share : 0;
    }

    /**
     * Calls that are charged afterwards take nothing, but pass only while a permit is in hand: one is kept for them,
     * however rare they are.
     */
    private long shareForCalls(Terms terms, boolean expectsOne, Moment now) {
        if (terms.isStrict()) {
            return 0;
        }
        double recent = recent(terms, now);
        boolean keepsOne = freeCallNanos != NEVER && !now.isAfter(freeCallNanos, terms.everyMillis());
        if (!keepsOne && recent < LEAST_CALLS) {
            return expectsOne ? 1 : 0;
        }
        double need = recent * Math.min(1, (double) terms.untilEndMillis(now) / terms.everyMillis());
        return (keepsOne ? 1 : 0) + (long) Math.ceil(need + DEVIATIONS * Math.sqrt(need));
    }

    private double recent(Terms terms, Moment now) {
        return isQuiet(terms, now) ? 0 : rate(terms, now);
    }

    /** Whether the last call came by itself, and one permit is kept for the next one. */
    boolean isLeisurely(Terms terms, Moment now) {
        return recent(terms, now) < LEAST_CALLS && expectsOne(terms, false, now);
    }

    /**
     * A call that leaves fewer permits than this requests a check.
     *
     * @param ungranted how many of the permits in hand were not granted
     */
    long lowWater(Terms terms, long ungranted, Moment now) {
        if (terms.isConcurrency()) {
            return 0;
        }
        long share = shareForCalls(terms, ungranted == 0 && expectsOne(terms, false, now), now);
        return share == 0
                ? (terms.slack().isCut(ungranted) ? ungranted / 2 : (ungranted + 1) / 2)
                : ungranted + Math.min(Math.max(1, callsWithin(RUNS_LOW_MILLIS, terms, now)), Math.max(1, share / 2));
    }

    /** Whether the share will run low soon, so that it is filled up if an exchange is made anyway. */
    boolean isLowSoon(Terms terms, Totals totals, long ungranted, long left, Moment now) {
        long soon = terms.isConcurrency() || isQuiet(terms, now) ? 0 : callsWithin(SOON_MILLIS, terms, now);
        return soon > 0
                && shareForCalls(terms, false, now) > 0
                && left >= PLENTY * soon
                && totals.left() < ungranted + soon;
    }

    /** How many calls are expected within this time at the recent rate. */
    private long callsWithin(long millis, Terms terms, Moment now) {
        return (long) Math.ceil(rate(terms, now) * millis / terms.everyMillis());
    }
}
