package dev.sluice.limiter.local;

import dev.sluice.Subject;
import dev.sluice.algorithm.SlidingWindow;
import dev.sluice.limiter.counter.Counter;
import dev.sluice.limiter.counter.CounterFamily;
import dev.sluice.limiter.counter.Permits;
import dev.sluice.limiter.counter.Pool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One frame of a sliding window that is counted in this process alone; the frames before it are in {@link
 * PreviousFrames}.
 */
public final class LocalFrame implements Pool {

    public final Counter counter;
    public final long start;
    public final long end;
    public final Permits permits;
    public final PreviousFrames previous;
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
    public CounterFamily family() {
        return counter.family;
    }

    @Override
    public List<Subject> subjects() {
        return counter.subjects;
    }

    @Override
    public @Nullable Pool at(long nowMillis) {
        return counter.at(nowMillis);
    }

    @Override
    public void reserve(long change, long reading) {
        counter.reserve().change(epoch(reading), change);
    }

    @Override
    public long reserved(long nowMillis) {
        return counter.reservedIn(epoch(reading(nowMillis)));
    }

    /**
     * Takes what the earlier frames leave, less the overage that is withheld, once no call of those frames is undecided
     * that could leave less.
     */
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
    public void release(long cost, long reading, long takenAtMillis) {
        permits.release(cost);
    }

    @Override
    public void refund(long cost, long reading, long takenAtMillis) {
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
        return start / frameMillis();
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
        long elapsed = nowMillis - start;
        long[] counts = previous.counts();
        return used() > 0
                ? (counts.length + 1) * frameMillis() - elapsed
                : SlidingWindow.millisUntil(0, 0, counts, elapsed, frameMillis());
    }

    @Override
    public long retryMillis(long cost, long nowMillis) {
        return SlidingWindow.millisUntil(
                counter.most() - elasticOverage() - cost, used(), previous.counts(), nowMillis - start, frameMillis());
    }

    private long frameMillis() {
        return counter.family.compiledLimit.lengthMillis;
    }

    /** The frames before one that begins then. */
    public PreviousFrames before(long laterStart) {
        long later = (laterStart - start) / frameMillis();
        return later > 0
                ? previous.followedBy(permits, later)
                : PreviousFrames.empty(counter.family.compiledLimit.frames, frameMillis());
    }

    /** How much was admitted here. */
    public long used() {
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
