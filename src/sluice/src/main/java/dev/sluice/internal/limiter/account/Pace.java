package dev.sluice.internal.limiter.account;

import static dev.sluice.internal.limiter.rule.InstanceProtocol.CALLS_PER_FREE_SLOT;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.CHANCE_WEIGHT;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.KEPT_PERMIT_QUARTERS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.LEAST_CHANCE;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.LEAST_SHARED_CALLS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.MARGIN_DEVIATIONS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.OTHERS_PACE_DIVISOR;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.PLENTY;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.QUIET_INTERVALS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.RUNS_LOW_MILLIS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.RUNS_LOW_SOON_MILLIS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.SURPLUS_SHARES;

import org.jspecify.annotations.Nullable;

/**
 * How fast calls come to one account here, and so how many permits it should have in hand. These are the permits that
 * calls need at the recent rate until the next exchange, plus a margin, since calls come in bursts. A burst is not
 * extrapolated.
 *
 * <p>For slower calls, which come one by one, no share is taken. But while the next call can be expected within a
 * lease, one permit is kept for it, so that it need not wait. A permit that nobody uses costs a statement and may have
 * to be recalled. So none is kept for callers who often stay away for that long, or who call other instances in
 * between, since such callers would take up to 20 % more statements. The promise of that permit is that a caller who
 * stays on one instance hardly ever waits. With one call a second under a limit of 60 a day, 5 % of the calls wait;
 * without that permit, 97 % do.
 *
 * <p>Each counter that is called has one of these objects, so it is as small as possible. Immutable.
 *
 * @param startNanos when the current interval began
 * @param current the calls of the current interval
 * @param previous the calls of the previous interval
 * @param usedSeen the total use up to the last of these calls
 * @param changedNanos when the last call was noticed, or the last return
 * @param freeCallNanos when the latest call that is charged afterwards was noticed; {@link #NEVER} if there was none
 * @param calledNanos when the latest call that took a permit was noticed; {@link #NEVER} if there was none
 * @param gapMillis the pause before that call, if it came alone and in time; otherwise 0
 * @param chance how often the next call came in time, from 0 to 1; the latest calls count most
 * @param ofOthers how many permits other instances took from the store in a millisecond, lately
 */
public record Pace(
        long startNanos,
        float current,
        float previous,
        long usedSeen,
        long changedNanos,
        long freeCallNanos,
        long calledNanos,
        int gapMillis,
        float chance,
        float ofOthers) {

    static final long NEVER = Long.MIN_VALUE;

    /** The pace in a new window, after the one in the previous window. */
    static Pace opened(@Nullable Pace before, Moment now) {
        return before == null
                ? new Pace(now.nanos(), 0, 0, 0, now.nanos(), NEVER, NEVER, 0, 1, 0)
                : before.inNextWindow(now);
    }

    private Pace inNextWindow(Moment now) {
        return new Pace(startNanos, current, previous, 0, now.nanos(), NEVER, calledNanos, gapMillis, chance, 0);
    }

    /** The pace of a caller who returns after the counter was dormant; {@code usedSeen} is the use before that. */
    static Pace dormant(long usedSeen, float chance, Terms terms, Moment now) {
        long longAgo = now.nanos() - terms.leaseMillis() * 1_000_000;
        return new Pace(now.nanos(), 0, 0, usedSeen, longAgo, NEVER, longAgo, 0, chance, 0);
    }

    /**
     * Notes the use since the last update. Returned permits do not count as calls, and calls that are charged
     * afterwards use no permits.
     */
    Pace updated(Terms terms, Totals totals, boolean hadFreeCalls, Moment now) {
        Pace latest = at(terms, now);
        long calls = totals.used() - usedSeen;
        if (calls == 0 && !hadFreeCalls) {
            return latest;
        }
        boolean isCalled = calls > 0;
        boolean isNext = isCalled && calledNanos != NEVER;
        boolean isInTime = isInTime(terms, now);
        int gap = isNext && isInTime && calls == 1 ? (int) calledAgoMillis(now) : 0;
        return new Pace(
                latest.startNanos,
                latest.current + Math.max(0, calls),
                latest.previous,
                totals.used(),
                now.nanos(),
                hadFreeCalls ? now.nanos() : freeCallNanos,
                isCalled ? now.nanos() : calledNanos,
                isCalled ? gap : gapMillis,
                isNext ? chance + CHANCE_WEIGHT * ((isInTime ? 1 : 0) - chance) : chance,
                ofOthers);
    }

    /** The time since the latest call that took a permit was noticed; {@link Long#MAX_VALUE} if there was none. */
    long calledAgoMillis(Moment now) {
        return calledNanos == NEVER ? Long.MAX_VALUE : (now.nanos() - calledNanos) / 1_000_000;
    }

    /** Moves the intervals on to this time. */
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
        return new Pace(
                start, now, before, usedSeen, changedNanos, freeCallNanos, calledNanos, gapMillis, chance, ofOthers);
    }

    /**
     * Notes that other instances have used the counter since the latest answer. So a caller who did not come here in
     * time calls there.
     */
    Pace calledElsewhere(Terms terms, Moment now) {
        return isInTime(terms, now) ? this : expecting(0, 0, ofOthers);
    }

    /**
     * Notes how many permits other instances took between two answers. The longer that time was, the more weight it
     * has.
     */
    Pace othersTook(long taken, long passedMillis, Terms terms) {
        float weight = (float) terms.everyMillis() / OTHERS_PACE_DIVISOR;
        return expecting(
                gapMillis, chance, (Math.max(0, taken) + ofOthers * weight) / (Math.max(0, passedMillis) + weight));
    }

    private Pace expecting(int gap, float likely, float others) {
        return new Pace(
                startNanos, current, previous, usedSeen, changedNanos, freeCallNanos, calledNanos, gap, likely, others);
    }

    /** Whether the last call is so recent that a permit would still be kept for the next one. */
    private boolean isInTime(Terms terms, Moment now) {
        long keptMillis = terms.leaseMillis() - KEPT_PERMIT_QUARTERS * terms.everyMillis() / 4;
        return calledNanos != NEVER && !now.isAfter(calledNanos, keptMillis);
    }

    /** Whether a permit is kept for the next call or, if a call waits now, for the call after it. */
    boolean expectsOne(Terms terms, boolean isWaitedFor, Moment now) {
        // others soon recall it in short windows: three instances in turn would take 11 % more commands under 3 a
        // second
        boolean isWindowShort = terms.endMillis() - terms.startMillis() <= terms.leaseMillis();
        if (isWindowShort || chance < LEAST_CHANCE || !isInTime(terms, now)) {
            return false;
        }
        long gap = isWaitedFor ? calledAgoMillis(now) : gapMillis;
        return gap > 0 && gap < terms.untilEndMillis(now);
    }

    /** The calls within the last interval, estimated from two intervals. */
    double rate(Terms terms, Moment now) {
        Pace latest = at(terms, now);
        double passed = (double) (now.nanos() - latest.startNanos) / (terms.everyMillis() * 1_000_000);
        return latest.current + latest.previous * (1 - passed);
    }

    /** Whether no call has come for nearly an interval. If so, no share is kept, except perhaps for one permit. */
    boolean isQuiet(Terms terms, Moment now) {
        return now.isAfter(changedNanos, (long) (QUIET_INTERVALS * terms.everyMillis()));
    }

    /**
     * How many permits to have in hand after an exchange. It is a single one only if that helps a call that comes
     * alone.
     */
    long share(Terms terms, Totals totals, boolean mayKeepOne, Moment now) {
        if (!terms.isConcurrency()) {
            return shareForCalls(terms, mayKeepOne && expectsOne(terms, totals.isWaitedFor(), now), now);
        }
        return terms.isStrict() || totals.used() == 0 || isQuiet(terms, now)
                ? 0
                : 1 + totals.used() / CALLS_PER_FREE_SLOT;
    }

    /**
     * How many permits to return: those that exceed the share, if more than twice the share is held or no calls come.
     */
    long surplus(Terms terms, Totals totals, long held, boolean mayKeepOne, Moment now) {
        long share = share(terms, totals, mayKeepOne, now);
        return held > (isQuiet(terms, now) ? share : SURPLUS_SHARES * share) ? held - share : 0;
    }

    /**
     * The share for calls that are charged afterwards. They take no permit but need one in hand, so one stays, however
     * rare they are.
     */
    private long shareForCalls(Terms terms, boolean expectsOne, Moment now) {
        if (terms.isStrict()) {
            return 0;
        }
        double recent = recent(terms, now);
        boolean keepsOne = freeCallNanos != NEVER && !now.isAfter(freeCallNanos, terms.everyMillis());
        if (!keepsOne && recent < LEAST_SHARED_CALLS) {
            return expectsOne ? 1 : 0;
        }
        double need = recent * Math.min(1, (double) terms.untilEndMillis(now) / terms.everyMillis());
        return (keepsOne ? 1 : 0) + (long) Math.ceil(need + MARGIN_DEVIATIONS * Math.sqrt(need));
    }

    private double recent(Terms terms, Moment now) {
        return isQuiet(terms, now) ? 0 : rate(terms, now);
    }

    /** Whether the last call came alone, and one permit is kept for the next one. */
    boolean isLeisurely(Terms terms, Moment now) {
        return recent(terms, now) < LEAST_SHARED_CALLS && expectsOne(terms, false, now);
    }

    /**
     * A call that leaves fewer permits than this number requests a check.
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

    /** Whether the share will run low soon, so that it is refilled if an exchange is made anyway. */
    boolean isLowSoon(Terms terms, Totals totals, long ungranted, long left, Moment now) {
        long soon = terms.isConcurrency() || isQuiet(terms, now) ? 0 : callsWithin(RUNS_LOW_SOON_MILLIS, terms, now);
        return soon > 0
                && shareForCalls(terms, false, now) > 0
                && left >= PLENTY * soon
                && totals.left() < ungranted + soon;
    }

    /** How many calls to expect within this time at the recent rate. */
    private long callsWithin(long millis, Terms terms, Moment now) {
        return (long) Math.ceil(rate(terms, now) * millis / terms.everyMillis());
    }
}
