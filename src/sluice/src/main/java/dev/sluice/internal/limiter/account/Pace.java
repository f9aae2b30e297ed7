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
 * The rate at which calls arrive for one account on this instance. The rate determines how many permits the instance
 * should have in hand. It should have enough permits for the calls that arrive before the next exchange at the recent
 * rate, plus a margin because calls arrive in bursts. A burst is not extrapolated.
 *
 * <p>If calls are so rare that they arrive one at a time, the instance requests no share. However, if the next call is
 * expected within a lease, the instance keeps one permit so that this call need not wait. A caller who always reaches
 * the same instance therefore hardly ever waits. At one call per second under a limit of 60 per day, 5 % of the calls
 * wait. Without that permit, 97 % of them would wait.
 *
 * <p>An unused permit costs a statement and might have to be recalled. The instance therefore keeps no permit for
 * callers who often pause for longer than a lease or who call other instances in between. Keeping a permit for such
 * callers would require up to 20 % more statements.
 *
 * <p>Each counter that receives calls has its own pace, so this object is as small as possible. Immutable.
 *
 * @param startNanos the time when the current interval began
 * @param current the number of calls in the current interval
 * @param previous the number of calls in the previous interval
 * @param usedSeen the total use at the latest update
 * @param changedNanos the time when the latest call or the latest return of permits was noticed
 * @param freeCallNanos the time when the latest call whose cost is charged later was noticed; {@link #NEVER} if there
 *     was none
 * @param calledNanos the time when the latest call that took a permit was noticed; {@link #NEVER} if there was none
 * @param gapMillis the pause before the latest call that took a permit, if this call arrived alone and in time;
 *     otherwise 0
 * @param chance the fraction of calls that arrived in time, from 0 to 1; recent calls have the greatest weight
 * @param ofOthers the number of permits per millisecond that other instances have recently taken from the store
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

    /** Creates the pace in a new window, based on the pace in the previous window. */
    static Pace opened(@Nullable Pace before, Moment now) {
        return before == null
                ? new Pace(now.nanos(), 0, 0, 0, now.nanos(), NEVER, NEVER, 0, 1, 0)
                : before.inNextWindow(now);
    }

    private Pace inNextWindow(Moment now) {
        return new Pace(startNanos, current, previous, 0, now.nanos(), NEVER, calledNanos, gapMillis, chance, 0);
    }

    /**
     * Creates the pace of a counter that was dormant and now receives a call.
     *
     * @param usedSeen the counter's total use before this call
     */
    static Pace dormant(long usedSeen, float chance, Terms terms, Moment now) {
        long longAgo = now.nanos() - terms.leaseMillis() * 1_000_000;
        return new Pace(now.nanos(), 0, 0, usedSeen, longAgo, NEVER, longAgo, 0, chance, 0);
    }

    /**
     * Records the use since the last update. Returned permits are not treated as calls. Calls whose cost is charged
     * later use no permits, so {@code hadFreeCalls} reports them separately.
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

    /** Returns the time since the latest call that took a permit; {@link Long#MAX_VALUE} if there was none. */
    long calledAgoMillis(Moment now) {
        return calledNanos == NEVER ? Long.MAX_VALUE : (now.nanos() - calledNanos) / 1_000_000;
    }

    /** Returns the pace with its intervals advanced to the given time. */
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
     * Records that other instances have used the counter since the latest answer. If the caller has not called this
     * instance in time, the caller must therefore be calling a different instance.
     */
    Pace calledElsewhere(Terms terms, Moment now) {
        return isInTime(terms, now) ? this : expecting(0, 0, ofOthers);
    }

    /**
     * Records how many permits other instances took between two answers. The longer the time between the answers, the
     * greater the weight of this number.
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

    /** Whether the last call is so recent that a permit is still kept for the next call. */
    private boolean isInTime(Terms terms, Moment now) {
        long keptMillis = terms.leaseMillis() - KEPT_PERMIT_QUARTERS * terms.everyMillis() / 4;
        return calledNanos != NEVER && !now.isAfter(calledNanos, keptMillis);
    }

    /** Whether a permit is kept for the next call or, if a call is waiting now, for the call after it. */
    boolean expectsOne(Terms terms, boolean isWaitedFor, Moment now) {
        // In short windows, other instances soon recall a kept permit. If calls under a limit of 3 per second alternate
        // between three instances, keeping a permit requires 11 % more commands.
        boolean isWindowShort = terms.endMillis() - terms.startMillis() <= terms.leaseMillis();
        if (isWindowShort || chance < LEAST_CHANCE || !isInTime(terms, now)) {
            return false;
        }
        long gap = isWaitedFor ? calledAgoMillis(now) : gapMillis;
        return gap > 0 && gap < terms.untilEndMillis(now);
    }

    /** Estimates the number of calls during the past {@code sync.every} from the counts of two intervals. */
    double rate(Terms terms, Moment now) {
        Pace latest = at(terms, now);
        double passed = (double) (now.nanos() - latest.startNanos) / (terms.everyMillis() * 1_000_000);
        return latest.current + latest.previous * (1 - passed);
    }

    /**
     * Whether no call has arrived for nearly an interval. If so, the instance keeps no share, except possibly a single
     * permit.
     */
    boolean isQuiet(Terms terms, Moment now) {
        return now.isAfter(changedNanos, (long) (QUIET_INTERVALS * terms.everyMillis()));
    }

    /**
     * Returns how many permits the instance should have in hand after an exchange. A single permit for the next lone
     * call is kept only if {@code mayKeepOne} is true.
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
     * Returns how many permits to return to the store. These are the permits that exceed the share, but only if the
     * instance holds more than twice the share or receives no calls. Otherwise, the result is 0.
     */
    long surplus(Terms terms, Totals totals, long held, boolean mayKeepOne, Moment now) {
        long share = share(terms, totals, mayKeepOne, now);
        return held > (isQuiet(terms, now) ? share : SURPLUS_SHARES * share) ? held - share : 0;
    }

    /**
     * Returns the share, including the permit for calls whose cost is charged later. Such calls take no permit but
     * require one to be in hand, so one is kept regardless of how rare these calls are.
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

    /** Whether calls arrive one at a time and the instance keeps one permit for the next call. */
    boolean isLeisurely(Terms terms, Moment now) {
        return recent(terms, now) < LEAST_SHARED_CALLS && expectsOne(terms, false, now);
    }

    /**
     * Returns the low-water mark: a call that leaves fewer permits than this number requests a check.
     *
     * @param ungranted the number of ungranted permits in hand
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

    /** Whether the share will soon run low. If so, it is refilled when an exchange is made anyway. */
    boolean isLowSoon(Terms terms, Totals totals, long ungranted, long left, Moment now) {
        long soon = terms.isConcurrency() || isQuiet(terms, now) ? 0 : callsWithin(RUNS_LOW_SOON_MILLIS, terms, now);
        return soon > 0
                && shareForCalls(terms, false, now) > 0
                && left >= PLENTY * soon
                && totals.left() < ungranted + soon;
    }

    /** Returns how many calls to expect within the given time at the recent rate. */
    private long callsWithin(long millis, Terms terms, Moment now) {
        return (long) Math.ceil(rate(terms, now) * millis / terms.everyMillis());
    }
}
