package dev.sluice.limiter;

/** One frame of a sliding window that is counted in this process alone; the frames before it are in {@link PreviousFrames}. */
final class LocalFrame implements Pool {

    final Counter counter;
    final long start;
    final long end;
    final Permits permits;
    final PreviousFrames previous;
    /** The permits that the limit never lets anybody take. */
    private final long beyondReach;

    /**
     * A frame.
     *
     * @param permits of which what was taken was admitted
     */
    LocalFrame(Counter counter, long start, Permits permits, PreviousFrames previous) {
        this.counter = counter;
        this.start = start;
        this.end = start + counter.family.compiledLimit.lengthMillis;
        this.permits = permits;
        this.previous = previous;
        this.beyondReach = Permits.ALL - counter.most();
    }

    /** The same frame, as another counter goes on with it: what is taken from one is taken from both. */
    LocalFrame goingOnIn(Counter other) {
        return new LocalFrame(other, start, permits, previous);
    }

    @Override
    public Counter counter() {
        return counter;
    }

    /** Takes what the earlier frames leave, less the overage that is withheld, once no call of those frames is undecided that could leave less. */
    @Override
    public long take(long cost, long remaining, long nowMillis, int holders) {
        int tries = 0;
        while (true) {
            long kept = beyondReach + previous.weight(nowMillis - start);
            long left = permits.take(cost, remaining + kept + withheldOverage(), holders);
            if (left >= 0) {
                return left - kept;
            }
            if (left == CLOSED || !previous.unsettled()) {
                return left;
            }
            tries = Pool.waitForHolder(tries);
        }
    }

    @Override
    public void keep() {
        permits.keep();
    }

    @Override
    public void giveBack(long cost, long reading, long takenAtMillis) {
        permits.giveBack(cost);
    }

    @Override
    public void putBack(long cost, long reading, long takenAtMillis) {
        permits.pour(cost);
    }

    @Override
    public void charge(long amount, long nowMillis) {
        permits.drain(amount, beyondReach);
    }

    @Override
    public boolean surelyShortOf(long cost, long nowMillis) {
        return permits.surelyShortOf(cost + beyondReach + previous.weight(nowMillis - start) + withheldOverage())
                && !previous.unsettled();
    }

    /** What comes back to a frame can be taken in later ones, but Retry-After never counts on it. */
    @Override
    public long epoch(long reading) {
        return start / counter.family.compiledLimit.lengthMillis;
    }

    /** The permits that the earlier frames leave. */
    @Override
    public long reading(long nowMillis) {
        return Math.max(0, permits.left() - beyondReach - previous.weight(nowMillis - start));
    }

    @Override
    public long available(long reading, long nowMillis) {
        return reading;
    }

    @Override
    public long resetMillis(long reading, long nowMillis) {
        return previous.millisUntilForgotten(this, nowMillis);
    }

    @Override
    public long retryMillis(long cost, long nowMillis) {
        return previous.millisUntil(cost, this, nowMillis);
    }

    /** How much was admitted here. */
    long used() {
        return Permits.ALL - permits.number();
    }

    /** Closes if nothing of what was ever counted here matters any more; whether it did. */
    boolean closeIfIdle(long nowMillis) {
        boolean idle = nowMillis >= end + counter.family.tier.limit().period().toMillis();
        if (idle) {
            permits.close();
        }
        return idle;
    }
}
