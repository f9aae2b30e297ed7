package dev.sluice.limiter.account;

import org.jspecify.annotations.Nullable;

/**
 * How fast calls come to one account here, and so how many permits it wants in hand: what the recent rate needs until the
 * next exchange, with a margin since calls come in bursts. A burst is not extrapolated. For calls that come more slowly, see
 * {@link Leisure}.
 *
 * @param startNanos when the current interval began
 * @param current the calls of the current interval
 * @param previous the calls of the interval before
 * @param usedSeen the use that these calls include
 * @param changedNanos when a call was last noticed
 * @param freeCallNanos when a call was last noticed that is charged afterwards; {@link Leisure#NEVER} if none was
 */
public record Pace(
        long startNanos,
        long current,
        long previous,
        long usedSeen,
        long changedNanos,
        Leisure leisure,
        long freeCallNanos) {

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

    /**
     * The pace of a new window.
     *
     * @param before that of the window before; {@code null} if there was none
     */
    static Pace opened(@Nullable Pace before, Moment now) {
        return before == null
                ? new Pace(now.nanos(), 0, 0, 0, now.nanos(), Leisure.UNKNOWN, Leisure.NEVER)
                : new Pace(
                        before.startNanos,
                        before.current,
                        before.previous,
                        0,
                        now.nanos(),
                        before.leisure,
                        Leisure.NEVER);
    }

    /**
     * With what was used since it was last updated. What came back is no call.
     *
     * @param hadFreeCalls whether calls passed since then that are charged afterwards
     */
    Pace updated(Terms terms, Totals totals, boolean hadFreeCalls, Moment now) {
        Pace latest = at(terms, now);
        long calls = totals.used() - usedSeen;
        return calls == 0 && !hadFreeCalls
                ? latest
                : new Pace(
                        latest.startNanos,
                        latest.current + Math.max(0, calls),
                        latest.previous,
                        totals.used(),
                        now.nanos(),
                        calls > 0 ? leisure.called(calls, terms, now) : leisure,
                        hadFreeCalls ? now.nanos() : freeCallNanos);
    }

    /** With the intervals of this time. */
    private Pace at(Terms terms, Moment now) {
        long interval = terms.everyMillis() * 1_000_000;
        long elapsed = now.nanos() - startNanos;
        if (elapsed >= 0 && elapsed < interval) {
            return this;
        }
        return elapsed >= 0 && elapsed < 2 * interval
                ? new Pace(startNanos + interval, 0, current, usedSeen, changedNanos, leisure, freeCallNanos)
                : new Pace(now.nanos(), 0, 0, usedSeen, changedNanos, leisure, freeCallNanos);
    }

    /** The calls within the last interval, estimated from two. */
    double rate(Terms terms, Moment now) {
        Pace latest = at(terms, now);
        double passed = (double) (now.nanos() - latest.startNanos) / (terms.everyMillis() * 1_000_000);
        return latest.current + latest.previous * (1 - passed);
    }

    /** Other instances have used the counter since the store's last answer. */
    Pace calledElsewhere(Terms terms, Moment now) {
        Leisure latest = leisure.calledElsewhere(terms, now);
        return new Pace(startNanos, current, previous, usedSeen, changedNanos, latest, freeCallNanos);
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
            return shareForCalls(terms, mayKeepOne && leisure.expectsOne(terms, totals.isWaitedFor(), now), now);
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
        boolean keepsOne = freeCallNanos != Leisure.NEVER && !now.isAfter(freeCallNanos, terms.everyMillis());
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
        return recent(terms, now) < LEAST_CALLS && leisure.expectsOne(terms, false, now);
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
        long share = shareForCalls(terms, ungranted == 0 && leisure.expectsOne(terms, false, now), now);
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
