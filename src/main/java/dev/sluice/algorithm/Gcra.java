package dev.sluice.algorithm;

import java.math.BigInteger;

/**
 * Token and leaky buckets by the generic cell rate algorithm: of a bucket, all that is kept is one number, the
 * theoretical arrival time, at which it would be full again. A call moves it ahead by the time that its tokens take to
 * flow in, and passes if it is not further from now than the bucket is deep. Nothing has to be refilled by a timer, and
 * parts of tokens are exact: time is counted in units so small that a millisecond and a token are both whole numbers of
 * them.
 *
 * <p>A clock that has stepped back leaves times too far ahead; they are believed up to a period, or some seconds,
 * beyond an empty bucket. What is further ahead was noted while the clock was wrong, and is forgotten.
 *
 * @param token the units that one token takes to flow in
 * @param milli the units of a millisecond
 * @param depth the units that a full bucket takes to flow in
 * @param furthest the units by which the theoretical arrival time can be ahead of now
 */
public record Gcra(long token, long milli, long depth, long furthest) implements SingleWordAlgorithm {

    /**
     * The arithmetic of a bucket.
     *
     * @param tokens that flow in each period
     * @param burst how many tokens it holds
     */
    public static Gcra of(long tokens, long periodMillis, long burst) {
        long divisor =
                BigInteger.valueOf(tokens).gcd(BigInteger.valueOf(periodMillis)).longValueExact();
        long token = periodMillis / divisor;
        long milli = tokens / divisor;
        long depth = burst * token;
        return new Gcra(token, milli, depth, depth + Math.max(periodMillis, LEAST_BELIEVED_MILLIS) * milli);
    }

    /**
     * The same, deeper by what is left of that time beyond whole tokens. So a queue in which calls wait at most so long
     * takes in whoever would wait just as long.
     */
    public Gcra withRestOf(long millis) {
        long rest = millis * milli % token;
        return new Gcra(token, milli, depth + rest, furthest + rest);
    }

    /** How many tokens are in the bucket; negative if more was charged than it held. */
    @Override
    public long left(long arrival, long nowMillis) {
        return Math.floorDiv(depth - ahead(arrival, nowMillis), token);
    }

    /**
     * The arrival time after so many tokens were taken, or {@link #TOO_FEW} if fewer than {@code remaining} would be
     * left. Divides nothing: a division takes as long as all else here.
     */
    @Override
    public long take(long arrival, long cost, long remaining, long nowMillis) {
        long ahead = ahead(arrival, nowMillis);
        long need = cost + remaining;
        boolean fits = Math.multiplyHigh(need, token) == 0 && need * token >= 0 && need * token <= depth - ahead;
        return fits ? nowMillis * milli + ahead + cost * token : TOO_FEW;
    }

    /**
     * As many tokens are missing, and parts of them, as are missing from the other bucket; they flow in at the new
     * pace.
     */
    @Override
    public long carriedOver(long arrival, SingleWordAlgorithm before, long nowMillis) {
        Gcra other = (Gcra) before;
        BigInteger missing = BigInteger.valueOf(other.ahead(other.normalised(arrival, nowMillis), nowMillis))
                .multiply(BigInteger.valueOf(token));
        BigInteger roundedUp = missing.add(BigInteger.valueOf(other.token - 1)).divide(BigInteger.valueOf(other.token));
        return nowMillis * milli + roundedUp.min(BigInteger.valueOf(furthest)).longValueExact();
    }

    /** The arrival time after so many tokens were taken, whether they were there or not. */
    @Override
    public long charge(long arrival, long cost, long nowMillis) {
        long ahead = ahead(arrival, nowMillis);
        long most = (furthest - ahead) / token;
        return nowMillis * milli + ahead + Math.min(cost, most) * token;
    }

    /** The arrival time after so many tokens were put back. */
    public long putBack(long arrival, long cost) {
        return Math.max(FULL, arrival - Math.min(cost, depth / token) * token);
    }

    /**
     * What has flowed in since is not put back as well: without the call, it would have spilled over. If later calls have
     * kept the bucket from being full, a little more could be put back; one word does not tell.
     */
    @Override
    public long putBack(long arrival, long cost, long after, long nowMillis) {
        long taken = Math.min(cost, depth / token) * token;
        return Math.max(FULL, arrival - Math.min(taken, ahead(after, nowMillis)));
    }

    /**
     * The arrival time, if it is not further from now than can be; otherwise it was noted by a wrong clock, and says
     * nothing.
     */
    @Override
    public long normalised(long arrival, long nowMillis) {
        return arrival <= nowMillis * milli + furthest ? arrival : FULL;
    }

    /** The time until there are so many tokens, at most until the bucket is full. */
    @Override
    public long millisUntil(long arrival, long cost, long nowMillis) {
        long lacking = ahead(arrival, nowMillis) - depth + Math.min(cost, depth / token) * token;
        return lacking <= 0 ? 0 : roundedUp(lacking);
    }

    /** The time until the bucket is full; for a call that finds it so, the time to wait for its turn in a queue. */
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

    /** After so long even a bucket that was empty is full. */
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
