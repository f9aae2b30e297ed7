package dev.sluice.internal.algorithm;

import java.math.BigInteger;

/**
 * Token and leaky buckets, implemented with the generic cell rate algorithm. The only state is the theoretical arrival
 * time, at which the bucket will be full again. Each call moves this time ahead by the time in which the call's tokens
 * flow in. The call passes if the arrival time is then ahead of the present by no more than the refill time of an empty
 * bucket. No timer refills the bucket. Fractions of tokens are exact, because a token and a millisecond are both whole
 * numbers of units.
 *
 * <p>If the clock steps back, arrival times are too far ahead. An arrival time is kept if it is at most one period, or
 * a few seconds, beyond that of an empty bucket. Otherwise it is discarded.
 *
 * @param token the units of one token
 * @param milli the units that flow in per millisecond
 * @param depth the units of a full bucket
 * @param furthest how many units the theoretical arrival time can be ahead of now
 */
public record Gcra(long token, long milli, long depth, long furthest) implements SingleWordAlgorithm {

    /**
     * Creates a bucket, and calculates its units.
     *
     * @param tokens the number of tokens that flow in per period
     * @param burst the number of tokens in a full bucket
     */
    public static Gcra of(long tokens, long periodMillis, long burst) {
        long divisor =
                BigInteger.valueOf(tokens).gcd(BigInteger.valueOf(periodMillis)).longValueExact();
        long token = periodMillis / divisor;
        long milli = tokens / divisor;
        long depth = burst * token;
        return new Gcra(token, milli, depth, depth + Math.max(periodMillis, CLOCK_TOLERANCE_MILLIS) * milli);
    }

    /**
     * This bucket, deepened by the fraction of a token that flows in during {@code millis}. A queue needs this to admit
     * a call that waits exactly {@code maxQueueTime}.
     */
    public Gcra deepenedByRemainder(long millis) {
        long remainder = millis * milli % token;
        return new Gcra(token, milli, depth + remainder, furthest + remainder);
    }

    /**
     * One of several buckets that share the rate of this bucket. A token takes longer to flow into it.
     *
     * @param parts how many buckets share the rate
     * @param tokens the number of tokens in a full bucket; less than 1 is raised to 1, because otherwise no token would
     *     ever flow in
     */
    public Gcra divided(int parts, long tokens) {
        long ownToken = token * parts;
        long ownDepth = Math.max(1, tokens) * ownToken + depth % token;
        return new Gcra(ownToken, milli, ownDepth, ownDepth + (furthest - depth) * parts);
    }

    /** The fraction of a token in the bucket, in units. */
    public long fraction(long arrival, long nowMillis) {
        return Math.floorMod(depth - ahead(arrival, nowMillis), token);
    }

    /** The arrival time of a bucket with the given number of tokens, plus a fraction of one in units. */
    public long arrival(long tokens, long remainder, long nowMillis) {
        return nowMillis * milli + Math.max(0, depth - tokens * token - remainder);
    }

    /** The number of tokens in the bucket; negative if more tokens were charged than it contained. */
    @Override
    public long left(long arrival, long nowMillis) {
        return Math.floorDiv(depth - ahead(arrival, nowMillis), token);
    }

    /**
     * The arrival time after taking these tokens, or {@link #TOO_FEW} if fewer than {@code remaining} would remain.
     * Avoids a division, which would take as long as the rest of the method.
     */
    @Override
    public long take(long arrival, long cost, long remaining, long nowMillis) {
        long ahead = ahead(arrival, nowMillis);
        long need = cost + remaining;
        boolean fits = Math.multiplyHigh(need, token) == 0 && need * token >= 0 && need * token <= depth - ahead;
        return fits ? nowMillis * milli + ahead + cost * token : TOO_FEW;
    }

    /**
     * The arrival time with the same number of missing tokens as in the other bucket, including fractions. They flow in
     * at the new rate.
     */
    @Override
    public long carriedOver(long arrival, SingleWordAlgorithm before, long nowMillis) {
        Gcra other = (Gcra) before;
        BigInteger missing = BigInteger.valueOf(other.ahead(other.normalised(arrival, nowMillis), nowMillis))
                .multiply(BigInteger.valueOf(token));
        BigInteger roundedUp = missing.add(BigInteger.valueOf(other.token - 1)).divide(BigInteger.valueOf(other.token));
        return nowMillis * milli + roundedUp.min(BigInteger.valueOf(furthest)).longValueExact();
    }

    /** The arrival time after taking these tokens, even if the bucket contains fewer. */
    @Override
    public long charge(long arrival, long cost, long nowMillis) {
        long ahead = ahead(arrival, nowMillis);
        long most = (furthest - ahead) / token;
        return nowMillis * milli + ahead + Math.min(cost, most) * token;
    }

    /** The arrival time after putting these tokens back. */
    public long putBack(long arrival, long cost) {
        return Math.max(FULL, arrival - Math.min(cost, depth / token) * token);
    }

    /**
     * Does not put back tokens that have flowed in since the call, because they would have overflowed without the call.
     * If later calls prevented the bucket from being full, a few more tokens could be put back, but a single arrival
     * time does not show this.
     */
    @Override
    public long putBack(long arrival, long cost, long after, long nowMillis) {
        long taken = Math.min(cost, depth / token) * token;
        return Math.max(FULL, arrival - Math.min(taken, ahead(after, nowMillis)));
    }

    /**
     * The arrival time. If it is further ahead than is possible with a correct clock, the clock was wrong, and the
     * result is the arrival time of a full bucket.
     */
    @Override
    public long normalised(long arrival, long nowMillis) {
        return arrival <= nowMillis * milli + furthest ? arrival : FULL;
    }

    /**
     * The time until the bucket contains the given number of tokens or, if that exceeds its depth, until it is full.
     */
    @Override
    public long millisUntil(long arrival, long cost, long nowMillis) {
        long lacking = ahead(arrival, nowMillis) - depth + Math.min(cost, depth / token) * token;
        return roundedUp(Math.max(0, lacking));
    }

    /** The time until the bucket is full. For a queue, this is the time until a call's turn. */
    @Override
    public long resetMillis(long arrival, long nowMillis) {
        return roundedUp(ahead(arrival, nowMillis));
    }

    @Override
    public long windowNumber(long arrival) {
        return 0;
    }

    @Override
    public boolean isIdle(long arrival, long nowMillis) {
        return resetMillis(normalised(arrival, nowMillis), nowMillis) == 0;
    }

    /** The refill time of an empty bucket. */
    public long millisToRefill() {
        return roundedUp(depth);
    }

    private long ahead(long arrival, long nowMillis) {
        return Math.min(Math.max(0, arrival - nowMillis * milli), furthest);
    }

    private long roundedUp(long units) {
        return -Math.floorDiv(-units, milli);
    }
}
