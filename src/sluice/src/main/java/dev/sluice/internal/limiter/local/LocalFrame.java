package dev.sluice.internal.limiter.local;

import dev.sluice.internal.algorithm.SlidingWindow;
import dev.sluice.internal.limiter.counter.CallLine;
import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.OpenWindow;
import dev.sluice.internal.limiter.counter.Permits;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.limiter.counter.Span;

/**
 * One frame of a sliding window that only this process counts. {@link PreviousFrames} contains the earlier frames.
 * Thread-safe.
 */
final class LocalFrame extends OpenWindow {

    private final PreviousFrames previous;
    /** The number of permits above the limit. These permits are never taken. */
    private final long aboveLimit;

    /**
     * Creates a frame.
     *
     * @param permits the permits of the frame; the number of permits already taken is the use by admitted calls
     */
    LocalFrame(Counter counter, Span span, Permits permits, PreviousFrames previous) {
        super(counter, span, permits);
        this.previous = previous;
        this.aboveLimit = Permits.ALL - counter.most();
    }

    /**
     * Returns a copy of this frame for a counter that continues this frame's counter. Both frames share the permits.
     */
    LocalFrame continuedIn(Counter other) {
        return new LocalFrame(other, span(), permits, previous);
    }

    /**
     * Takes some of the permits that remain after the weight of the earlier frames and the withheld overage are
     * subtracted. Refuses only if no call in the earlier frames is undecided, because an undecided call could still
     * reduce their weight.
     */
    @Override
    public long take(long cost, long remaining, int borrowers, long nowMillis) {
        int tries = 0;
        while (true) {
            boolean isDecided = !previous.hasUndecidedCalls(); // read before the weight, because such calls change it
            long unavailable = aboveLimit + previous.weight(nowMillis - start());
            long left = permits.take(cost, remaining + unavailable + withheldOverage(), borrowers);
            if (left >= 0) {
                return left - unavailable;
            }
            if (left == CLOSED || isDecided) {
                return left;
            }
            tries = Pool.waitForBorrower(tries);
        }
    }

    @Override
    public CallLine openLine() {
        return counter.openLine();
    }

    @Override
    public boolean isAnyInLine() {
        return counter.isAnyInLine();
    }

    @Override
    public void putBack(long cost, long state, long takenAtMillis) {
        permits.add(cost);
    }

    @Override
    public long charge(long amount, long nowMillis) {
        return permits.drain(amount, aboveLimit);
    }

    @Override
    public boolean hasUndecidedCalls() {
        return super.hasUndecidedCalls() || previous.hasUndecidedCalls();
    }

    @Override
    public boolean surelyShortOf(long cost, long nowMillis) {
        return !previous.hasUndecidedCalls()
                && permits.surelyShortOf(cost + aboveLimit + previous.weight(nowMillis - start()) + withheldOverage());
    }

    /** Returns the number of permits that remain after the weight of the earlier frames is subtracted. */
    @Override
    public long state(long nowMillis) {
        return Math.max(0, permits.left() - aboveLimit - previous.weight(nowMillis - start()));
    }

    @Override
    public long available(long state, long nowMillis) {
        return state;
    }

    @Override
    public long resetMillis(long state, long nowMillis) {
        long elapsed = nowMillis - start();
        long[] counts = previous.counts();
        return used() > 0
                ? (counts.length + 1) * frameMillis() - elapsed
                : SlidingWindow.millisUntil(0, 0, counts, elapsed, frameMillis());
    }

    @Override
    public long retryMillis(long cost, long nowMillis) {
        return SlidingWindow.millisUntil(
                counter.most() - elasticOverage() - cost,
                used(),
                previous.counts(),
                nowMillis - start(),
                frameMillis());
    }

    private long frameMillis() {
        return counter.family.compiledLimit.lengthMillis;
    }

    /** Returns the frames that precede a later frame. The later frame starts at the given time. */
    PreviousFrames before(long laterStart) {
        long later = (laterStart - start()) / frameMillis();
        return later > 0
                ? previous.followedBy(permits, later)
                : PreviousFrames.empty(counter.family.compiledLimit.frames, frameMillis());
    }

    /** Returns the number of calls that were admitted in this frame. */
    private long used() {
        return Permits.ALL - permits.number();
    }
}
