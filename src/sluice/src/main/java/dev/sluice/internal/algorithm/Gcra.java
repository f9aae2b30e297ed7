package dev.sluice.internal.algorithm;

import java.math.BigInteger;

/**
 * Token and leaky buckets, by the generic cell rate algorithm. The only state is the theoretical arrival time: when the
 * bucket would be full again. A call moves it ahead by the time that the call's tokens take to flow in. The call passes
 * if the arrival time is then ahead of the present by no more than a full bucket takes to flow in. No timer refills
 * anything. Fractions of tokens are exact, because both the time of a token and a millisecond are whole numbers of
 * units.
 *
 * <p>If the clock steps back, arrival times are too far ahead. They are kept if they lie at most a period, or some
 * seconds, beyond those of an empty bucket; otherwise they are discarded.
 *
 * @param token the units of one token
 * @param milli the units that flow in each millisecond
 * @param depth the units of a full bucket
 * @param furthest how many units the theoretical arrival time can be ahead of now
 */
public record Gcra(long token, long milli, long depth, long furthest) implements SingleWordAlgorithm {

    /**
     * Prepares the arithmetic of a bucket.
     *
     * @param tokens how many flow in during each period
     * @param burst how many tokens it holds
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
     * This bucket, deeper by the fraction of a token that flows in during {@code millis}. So a queue admits a call that
     * is queued exactly {@code maxQueueTime}.
     */
    public Gcra deepenedByRemainder(long millis) {
        long remainder = millis * milli % token;
        return new Gcra(token, milli, depth + remainder, furthest + remainder);
    }

    /**
     * One of several buckets that divide the rate of this one. A token takes longer to flow into it.
     *
     * @param parts how many buckets share the rate
     * @param tokens how many tokens it holds; at least 1, otherwise no token would ever flow in
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

    /** The number of tokens in the bucket; negative if more was charged than it held. */
    @Override
    public long left(long arrival, long nowMillis) {
        return Math.floorDiv(depth - ahead(arrival, nowMillis), token);
    }

    /**
     * The arrival time after these tokens are taken, or {@link #TOO_FEW} if fewer than {@code remaining} would be left.
     * Avoids a division, which would take as long as all the rest.
     */
    @Override
    public long take(long arrival, long cost, long remaining, long nowMillis) {
        long ahead = ahead(arrival, nowMillis);
        long need = cost + remaining;
        boolean fits = Math.multiplyHigh(need, token) == 0 && need * token >= 0 && need * token <= depth - ahead;
        return fits ? nowMillis * milli + ahead + cost * token : TOO_FEW;
    }

    /** As many tokens are missing as from the other bucket, including fractions, but they flow in at the new rate. */
    @Override
    public long carriedOver(long arrival, SingleWordAlgorithm before, long nowMillis) {
        Gcra other = (Gcra) before;
        BigInteger missing = BigInteger.valueOf(other.ahead(other.normalised(arrival, nowMillis), nowMillis))
                .multiply(BigInteger.valueOf(token));
        BigInteger roundedUp = missing.add(BigInteger.valueOf(other.token - 1)).divide(BigInteger.valueOf(other.token));
        return nowMillis * milli + roundedUp.min(BigInteger.valueOf(furthest)).longValueExact();
    }

    /** The arrival time after these tokens are taken, even if the bucket has fewer. */
    @Override
    public long charge(long arrival, long cost, long nowMillis) {
        long ahead = ahead(arrival, nowMillis);
        long most = (furthest - ahead) / token;
        return nowMillis * milli + ahead + Math.min(cost, most) * token;
    }

    /** The arrival time after these tokens are put back. */
    public long putBack(long arrival, long cost) {
        return Math.max(FULL, arrival - Math.min(cost, depth / token) * token);
    }

    /**
     * Does not put back tokens that have flowed in since the call, because without the call they would have overflowed.
     * If later calls kept the bucket from being full, a little more could be put back, but a single arrival time cannot
     * tell.
     */
    @Override
    public long putBack(long arrival, long cost, long after, long nowMillis) {
        long taken = Math.min(cost, depth / token) * token;
        return Math.max(FULL, arrival - Math.min(taken, ahead(after, nowMillis)));
    }

    /**
     * The arrival time. If it is further ahead than a right clock allows, the clock was wrong, and the result is the
     * arrival time of a full bucket.
     */
    @Override
    public long normalised(long arrival, long nowMillis) {
        return arrival <= nowMillis * milli + furthest ? arrival : FULL;
    }

    /** The time until the bucket has the given number of tokens. If it cannot hold them, the time until it is full. */
    @Override
    public long millisUntil(long arrival, long cost, long nowMillis) {
        long lacking = ahead(arrival, nowMillis) - depth + Math.min(cost, depth / token) * token;
        return roundedUp(Math.max(0, lacking));
    }

    /** The time until the bucket is full. In a queue, the time until it is a call's turn. */
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

    /** The time that an empty bucket takes to fill. */
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
