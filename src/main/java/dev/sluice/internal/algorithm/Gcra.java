package dev.sluice.internal.algorithm;

import java.math.BigInteger;

/**
 * Token and leaky buckets by the generic cell rate algorithm. The only state is the theoretical arrival time, at which
 * the bucket would be full again. A call moves it ahead by the time that its tokens take to flow in, and passes if it
 * is then no further ahead of now than the bucket's depth. No timer refills anything, and parts of tokens are exact:
 * time is counted in units of which both a millisecond and a token are whole numbers.
 *
 * <p>If the clock steps back, arrival times lie too far ahead. They are kept up to a period, or some seconds, beyond an
 * empty bucket; anything further ahead is discarded.
 *
 * @param token the units of one token
 * @param milli the units of a millisecond
 * @param depth the units of a full bucket
 * @param furthest how many units the theoretical arrival time can be ahead of now
 */
public record Gcra(long token, long milli, long depth, long furthest) implements SingleWordAlgorithm {

    /**
     * Creates the arithmetic of a bucket.
     *
     * @param tokens how many flow in each period
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
     * This bucket, deepened by the part of {@code millis} that is no whole token. So a queue with a {@code maxWait}
     * admits a call that waits exactly that long.
     */
    public Gcra deepenedByRemainder(long millis) {
        long rest = millis * milli % token;
        return new Gcra(token, milli, depth + rest, furthest + rest);
    }

    /**
     * One of several buckets that divide the rate of this one among them; a token takes longer to flow into it.
     *
     * @param tokens how many it holds; at least one, or none would ever flow in
     */
    public Gcra divided(int parts, long tokens) {
        long ownToken = token * parts;
        long ownDepth = Math.max(1, tokens) * ownToken + depth % token;
        return new Gcra(ownToken, milli, ownDepth, ownDepth + (furthest - depth) * parts);
    }

    /** The units in the bucket beyond whole tokens. */
    public long restOf(long arrival, long nowMillis) {
        return Math.floorMod(depth - ahead(arrival, nowMillis), token);
    }

    /** The arrival time of a bucket that has this many tokens, and this many units more. */
    public long arrival(long tokens, long rest, long nowMillis) {
        return nowMillis * milli + Math.max(0, depth - tokens * token - rest);
    }

    /** The number of tokens in the bucket; negative if more was charged than it held. */
    @Override
    public long left(long arrival, long nowMillis) {
        return Math.floorDiv(depth - ahead(arrival, nowMillis), token);
    }

    /**
     * The arrival time after this many tokens are taken, or {@link #TOO_FEW} if fewer than {@code remaining} would be
     * left. Avoids a division, which takes as long as all else here.
     */
    @Override
    public long take(long arrival, long cost, long remaining, long nowMillis) {
        long ahead = ahead(arrival, nowMillis);
        long need = cost + remaining;
        boolean fits = Math.multiplyHigh(need, token) == 0 && need * token >= 0 && need * token <= depth - ahead;
        return fits ? nowMillis * milli + ahead + cost * token : TOO_FEW;
    }

    /**
     * The same number of tokens is missing as from the other bucket, parts of tokens too; they flow in at the new rate.
     */
    @Override
    public long carriedOver(long arrival, SingleWordAlgorithm before, long nowMillis) {
        Gcra other = (Gcra) before;
        BigInteger missing = BigInteger.valueOf(other.ahead(other.normalised(arrival, nowMillis), nowMillis))
                .multiply(BigInteger.valueOf(token));
        BigInteger roundedUp = missing.add(BigInteger.valueOf(other.token - 1)).divide(BigInteger.valueOf(other.token));
        return nowMillis * milli + roundedUp.min(BigInteger.valueOf(furthest)).longValueExact();
    }

    /** The arrival time after this many tokens are taken, even if there are fewer. */
    @Override
    public long charge(long arrival, long cost, long nowMillis) {
        long ahead = ahead(arrival, nowMillis);
        long most = (furthest - ahead) / token;
        return nowMillis * milli + ahead + Math.min(cost, most) * token;
    }

    /** The arrival time after this many tokens are put back. */
    public long putBack(long arrival, long cost) {
        return Math.max(FULL, arrival - Math.min(cost, depth / token) * token);
    }

    /**
     * Tokens that flowed in since are not put back too: without the call, they would have overflowed. If later calls
     * kept the bucket from being full, a little more could be put back; a single arrival time cannot say.
     */
    @Override
    public long putBack(long arrival, long cost, long after, long nowMillis) {
        long taken = Math.min(cost, depth / token) * token;
        return Math.max(FULL, arrival - Math.min(taken, ahead(after, nowMillis)));
    }

    /** The arrival time, unless it is further ahead than possible, which only a wrong clock can have caused. */
    @Override
    public long normalised(long arrival, long nowMillis) {
        return arrival <= nowMillis * milli + furthest ? arrival : FULL;
    }

    /** The time until there are this many tokens, at most until the bucket is full. */
    @Override
    public long millisUntil(long arrival, long cost, long nowMillis) {
        long lacking = ahead(arrival, nowMillis) - depth + Math.min(cost, depth / token) * token;
        return roundedUp(Math.max(0, lacking));
    }

    /** The time until the bucket is full; in a queue, the time that a call waits for its turn. */
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
