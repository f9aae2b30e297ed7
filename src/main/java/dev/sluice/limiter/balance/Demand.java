package dev.sluice.limiter.balance;

import dev.sluice.limiter.shared.CallRate;

/**
 * How many permits one instance wants to have in hand of one shared counter: what its recent call rate needs until the
 * next exchange, with a margin since calls come in bursts. A burst is not extrapolated. Not safe for several threads.
 */
final class Demand {

    /** Below this many calls per interval, an instance takes no share: each call is reported, or asks, by itself. */
    private static final double LEAST_CALLS = 3;

    private static final double DEVIATIONS = 4;

    /** A share is refilled when it would last this long. */
    private static final long RUNS_LOW_MILLIS = 40;

    private final CallRate rate;
    private final long everyMillis;
    private final boolean strict;

    /** Whether calls passed that are charged afterwards, and when the last one was noticed. */
    private boolean hasFreeCalls;

    private long freeCallNanos;

    Demand(CallRate rate, long everyMillis, boolean strict) {
        this.rate = rate;
        this.everyMillis = everyMillis;
        this.strict = strict;
    }

    /** Adds the calls admitted since the last update. */
    void learn(long calls, Moment now) {
        rate.add(calls, now.nanos());
    }

    /** Records calls that take nothing, since they are charged afterwards. */
    void learnFreeCalls(Moment now) {
        hasFreeCalls = true;
        freeCallNanos = now.nanos();
    }

    /**
     * How many permits to have in hand after an exchange. Calls that are charged afterwards take nothing, but pass only
     * while a permit is in hand: one is kept for them, however rare they are.
     */
    long share(long untilEndMillis, Moment now) {
        if (strict) {
            return 0;
        }
        boolean keepsOne = hasFreeCalls && !now.isAfter(freeCallNanos, everyMillis);
        double recent = rate.recent(now.nanos());
        if (keepsOne) {
            return 1 + needUntil(untilEndMillis, recent);
        }
        return recent < LEAST_CALLS ? 0 : needUntil(untilEndMillis, recent);
    }

    /** What calls at this rate need, with a margin. */
    private long needUntil(long untilEndMillis, double recent) {
        double need = recent * Math.min(1, (double) untilEndMillis / everyMillis);
        return (long) Math.ceil(need + DEVIATIONS * Math.sqrt(need));
    }

    /** How many permits are left when a refill is requested. */
    long refillBelow(long share, Moment now) {
        return share == 0 ? 0 : Math.min(Math.max(1, usedWithin(RUNS_LOW_MILLIS, now)), Math.max(1, share / 2));
    }

    /** How many calls are expected within this time at the recent rate. */
    long usedWithin(long millis, Moment now) {
        return (long) Math.ceil(rate.recent(now.nanos()) * millis / everyMillis);
    }
}
