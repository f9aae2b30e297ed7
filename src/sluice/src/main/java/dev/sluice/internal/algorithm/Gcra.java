package dev.sluice.internal.algorithm;

import java.math.BigInteger;

/**
 * The algorithm for token and leaky buckets: the generic cell rate algorithm. Its only state is the theoretical arrival
 * time, which is the time at which the bucket will be full again. Each call postpones this time by as long as the
 * call's tokens take to flow in. A call passes if the arrival time is then ahead of the current time by no more than
 * the refill time of an empty bucket. No timer refills the bucket. Fractions of tokens are exact, because a token and a
 * millisecond are both whole numbers of units.
 *
 * <p>If the clock has been set back, arrival times are too far in the future. An arrival time is retained if it exceeds
 * that of an empty bucket by at most one period or a few seconds. Otherwise it is discarded.
 *
 * @param token the number of units in one token
 * @param milli the number of units that flow in per millisecond
 * @param depth the number of units in a full bucket
 * @param furthest the maximum lead of the theoretical arrival time over the current time, in units
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
     * Returns this bucket with its depth increased by the fraction of a token that flows in during {@code millis}. A
     * queue needs this additional depth to admit a call that waits for exactly {@code maxQueueTime}.
     */
    public Gcra deepenedByRemainder(long millis) {
        long remainder = millis * milli % token;
        return new Gcra(token, milli, depth + remainder, furthest + remainder);
    }

    /**
     * Returns one of several buckets that share this bucket's refill rate equally. Each of them refills more slowly
     * than this one.
     *
     * @param parts the number of buckets that share the rate
     * @param tokens the number of tokens in a full bucket. A value below 1 is raised to 1, because the bucket would
     *     otherwise never contain a whole token
     */
    public Gcra divided(int parts, long tokens) {
        long ownToken = token * parts;
        long ownDepth = Math.max(1, tokens) * ownToken + depth % token;
        return new Gcra(ownToken, milli, ownDepth, ownDepth + (furthest - depth) * parts);
    }

    /** The fraction of a token that the bucket contains, in units. */
    public long fraction(long arrival, long nowMillis) {
        return Math.floorMod(depth - ahead(arrival, nowMillis), token);
    }

    /** The arrival time of a bucket that contains the given number of tokens and, in units, a fraction of a token. */
    public long arrival(long tokens, long remainder, long nowMillis) {
        return nowMillis * milli + Math.max(0, depth - tokens * token - remainder);
    }

    /** The number of tokens in the bucket; negative if more tokens were charged than the bucket contained. */
    @Override
    public long left(long arrival, long nowMillis) {
        return Math.floorDiv(depth - ahead(arrival, nowMillis), token);
    }

    /**
     * The arrival time after taking {@code cost} tokens, or {@link #TOO_FEW} if fewer than {@code remaining} tokens
     * would remain. Avoids a division, because it would take as long as the rest of the method.
     */
    @Override
    public long take(long arrival, long cost, long remaining, long nowMillis) {
        long ahead = ahead(arrival, nowMillis);
        long need = cost + remaining;
        boolean fits = Math.multiplyHigh(need, token) == 0 && need * token >= 0 && need * token <= depth - ahead;
        return fits ? nowMillis * milli + ahead + cost * token : TOO_FEW;
    }

    /**
     * The arrival time at which this bucket lacks the same number of tokens as the previous bucket, including
     * fractions. The missing tokens flow in at the new rate.
     */
    @Override
    public long carriedOver(long arrival, SingleWordAlgorithm before, long nowMillis) {
        Gcra other = (Gcra) before;
        BigInteger missing = BigInteger.valueOf(other.ahead(other.normalised(arrival, nowMillis), nowMillis))
                .multiply(BigInteger.valueOf(token));
        BigInteger roundedUp = missing.add(BigInteger.valueOf(other.token - 1)).divide(BigInteger.valueOf(other.token));
        return nowMillis * milli + roundedUp.min(BigInteger.valueOf(furthest)).longValueExact();
    }

    /** The arrival time after taking {@code cost} tokens, even if the bucket contains fewer. */
    @Override
    public long charge(long arrival, long cost, long nowMillis) {
        long ahead = ahead(arrival, nowMillis);
        long most = (furthest - ahead) / token;
        return nowMillis * milli + ahead + Math.min(cost, most) * token;
    }

    /** The arrival time after putting {@code cost} tokens back. */
    public long putBack(long arrival, long cost) {
        return Math.max(FULL, arrival - Math.min(cost, depth / token) * token);
    }

    /**
     * Does not put back tokens that have flowed in since the call, because they would have overflowed if the call had
     * not been made. If later calls have kept the bucket from being full, a few more tokens could be put back. However,
     * a single arrival time does not show whether this is the case.
     */
    @Override
    public long putBack(long arrival, long cost, long after, long nowMillis) {
        long taken = Math.min(cost, depth / token) * token;
        return Math.max(FULL, arrival - Math.min(taken, ahead(after, nowMillis)));
    }

    /**
     * The given arrival time, or that of a full bucket if the given time is further ahead than a correct clock would
     * allow.
     */
    @Override
    public long normalised(long arrival, long nowMillis) {
        return arrival <= nowMillis * milli + furthest ? arrival : FULL;
    }

    /**
     * The time until the bucket contains {@code cost} tokens. If the bucket is not that deep, this is the time until it
     * is full.
     */
    @Override
    public long millisUntil(long arrival, long cost, long nowMillis) {
        long lacking = ahead(arrival, nowMillis) - depth + Math.min(cost, depth / token) * token;
        return roundedUp(Math.max(0, lacking));
    }

    /** The time until the bucket is full. In a queue, this is how long a call waits for its turn. */
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
