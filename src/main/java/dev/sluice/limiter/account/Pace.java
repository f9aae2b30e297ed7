package dev.sluice.limiter.account;

import org.jspecify.annotations.Nullable;

/**
 * How fast calls come to one account here, and so how many permits it wants in hand: what the recent rate needs until the
 * next exchange, with a margin since calls come in bursts. A burst is not extrapolated. For calls that come more slowly, see
 * {@link Leisure}.
 *
 * @param rate the calls within the last interval
 * @param usedSeen the use that the rate includes
 * @param changedNanos when a call was last noticed
 * @param hasFreeCalls whether calls passed that are charged afterwards
 * @param freeCallNanos when the last of these was noticed
 */
public record Pace(
        CallRate rate, long usedSeen, long changedNanos, Leisure leisure, boolean hasFreeCalls, long freeCallNanos) {

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
     * The number of calls that one counter admitted here within the last interval, estimated from two intervals.
     *
     * @param startNanos when the current interval began
     * @param current the calls of the current interval
     * @param previous the calls of the interval before
     */
    record CallRate(long intervalNanos, long startNanos, long current, long previous) {

        /** A rate of no calls. */
        static CallRate none(long intervalNanos, long nowNanos) {
            return new CallRate(intervalNanos, nowNanos, 0, 0);
        }

        /** The rate with the calls that were admitted since the last report; negative if more came back. */
        CallRate plus(long calls, long nowNanos) {
            CallRate rate = at(nowNanos);
            return calls <= 0
                    ? rate
                    : new CallRate(intervalNanos, rate.startNanos, rate.current + calls, rate.previous);
        }

        /** The estimated calls of the interval that ends now. */
        double recent(long nowNanos) {
            CallRate rate = at(nowNanos);
            return rate.current + rate.previous * (1 - (double) (nowNanos - rate.startNanos) / intervalNanos);
        }

        private CallRate at(long nowNanos) {
            long elapsed = nowNanos - startNanos;
            if (elapsed >= 0 && elapsed < intervalNanos) {
                return this;
            }
            return elapsed >= 0 && elapsed < 2 * intervalNanos
                    ? new CallRate(intervalNanos, startNanos + intervalNanos, 0, current)
                    : none(intervalNanos, nowNanos);
        }
    }

    /**
     * The pace of a new window.
     *
     * @param before that of the window before; {@code null} if there was none
     */
    static Pace opened(@Nullable Pace before, Terms terms, Moment now) {
        CallRate rate = before == null ? CallRate.none(terms.everyMillis() * 1_000_000, now.nanos()) : before.rate;
        return new Pace(rate, 0, now.nanos(), before == null ? Leisure.UNKNOWN : before.leisure, false, 0);
    }

    /**
     * With what was used since it was last updated.
     *
     * @param hadFreeCalls whether calls passed since then that are charged afterwards
     */
    Pace updated(Terms terms, Totals totals, boolean hadFreeCalls, Moment now) {
        long calls = totals.used() - usedSeen;
        CallRate latest = rate.plus(calls, now.nanos());
        if (calls == 0 && !hadFreeCalls) {
            return latest.equals(rate)
                    ? this
                    : new Pace(latest, usedSeen, changedNanos, leisure, hasFreeCalls, freeCallNanos);
        }
        return new Pace(
                latest,
                totals.used(),
                now.nanos(),
                calls > 0 ? leisure.called(calls, terms, now) : leisure,
                hasFreeCalls || hadFreeCalls,
                hadFreeCalls ? now.nanos() : freeCallNanos);
    }

    /** Other instances have used the counter since the store's last answer. */
    Pace calledElsewhere(Terms terms, Moment now) {
        Leisure latest = leisure.calledElsewhere(terms, now);
        return new Pace(rate, usedSeen, changedNanos, latest, hasFreeCalls, freeCallNanos);
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
        boolean keepsOne = hasFreeCalls && !now.isAfter(freeCallNanos, terms.everyMillis());
        if (!keepsOne && recent < LEAST_CALLS) {
            return expectsOne ? 1 : 0;
        }
        double need = recent * Math.min(1, (double) terms.untilEndMillis(now) / terms.everyMillis());
        return (keepsOne ? 1 : 0) + (long) Math.ceil(need + DEVIATIONS * Math.sqrt(need));
    }

    private double recent(Terms terms, Moment now) {
        return isQuiet(terms, now) ? 0 : rate.recent(now.nanos());
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
        return (long) Math.ceil(rate.recent(now.nanos()) * millis / terms.everyMillis());
    }
}
