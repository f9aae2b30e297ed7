package dev.sluice.internal.algorithm;

import dev.sluice.tier.Windows;

/**
 * The fixed-window algorithm. It divides time into windows that are the same for all instances with the same clock, and
 * counts the calls in each window separately. The algorithm is simple and cheap, but around a window boundary, up to
 * twice the threshold can pass within one period.
 *
 * <p>The upper bits of the state contain the low-order bits of the window number, and the lower bits contain the count.
 * A call that arrives late is counted in the current window. If the clock has been set back, the window in the state
 * lies in the future. The state is retained if its window is ahead by at most one period or a few seconds, and
 * discarded otherwise.
 */
public final class FixedWindow implements SingleWordAlgorithm {

    /**
     * The minimum number of bits for the count. It does not depend on the limit, so that the count survives if the
     * limit is lowered.
     */
    private static final int LEAST_COUNT_BITS = 32;

    private final long most;
    private final Windows windows;
    private final int countBits;
    private final long countMask;
    /**
     * The number of upper bits of a window number that do not fit into the state, because the state also contains the
     * count and the sign bit.
     */
    private final int unusedBits;

    private final long furthest;

    /**
     * The most recently used window. Caching it saves a division or a calendar calculation. Threads can overwrite each
     * other's windows. This is harmless, because a thread that reads the wrong window computes the right one.
     */
    private Span latest = new Span(0, 0, 0);

    /**
     * Creates the algorithm for one limit.
     *
     * @param most the maximum number of calls in a window
     */
    public FixedWindow(long most, Windows windows) {
        this.most = most;
        this.windows = windows;
        this.countBits = Math.max(LEAST_COUNT_BITS, Long.SIZE - Long.numberOfLeadingZeros(most));
        this.countMask = (1L << countBits) - 1;
        this.unusedBits = countBits + 1;
        this.furthest = Math.max(
                1, -Math.floorDiv(-CLOCK_TOLERANCE_MILLIS, windows.shortest().toMillis()));
    }

    /** One window. */
    private record Span(long number, long startMillis, long endMillis) {}

    private Span spanAt(long nowMillis) {
        Span span = latest;
        if (nowMillis < span.startMillis || nowMillis >= span.endMillis) {
            long number = windows.numberAt(nowMillis);
            span = new Span(number, windows.startOf(number), windows.startOf(number + 1));
            latest = span;
        }
        return span;
    }

    private long numberOf(long nowMillis) {
        return spanAt(nowMillis).number;
    }

    /** Returns how many windows the state is ahead of the current window. */
    private long ahead(long state, long nowMillis) {
        return ahead(state, spanAt(nowMillis));
    }

    private long ahead(long state, Span now) {
        long difference = (state >>> countBits) - now.number;
        return difference << unusedBits >> unusedBits;
    }

    @Override
    public long normalised(long state, long nowMillis) {
        long ahead = ahead(state, nowMillis);
        return ahead >= 0 && ahead <= furthest ? state : numberOf(nowMillis) << unusedBits >>> 1;
    }

    @Override
    public long take(long state, long cost, long remaining, long nowMillis) {
        return cost + remaining <= left(state, nowMillis) ? state + cost : TOO_FEW;
    }

    @Override
    public long carriedOver(long state, SingleWordAlgorithm before, long nowMillis) {
        FixedWindow earlier = (FixedWindow) before;
        long number = numberOf(nowMillis) + earlier.ahead(state, nowMillis);
        return number << unusedBits >>> 1 | Math.min(state & earlier.countMask, countMask);
    }

    @Override
    public long charge(long state, long cost, long nowMillis) {
        long normalised = normalised(state, nowMillis);
        return normalised + Math.max(0, Math.min(cost, left(normalised, nowMillis)));
    }

    @Override
    public long putBack(long state, long cost, long after, long nowMillis) {
        return windowNumber(state) == windowNumber(after) ? state - Math.min(cost, state & countMask) : state;
    }

    @Override
    public long left(long state, long nowMillis) {
        return most - (state & countMask);
    }

    @Override
    public long millisUntil(long state, long cost, long nowMillis) {
        return resetMillis(state, nowMillis);
    }

    @Override
    public long resetMillis(long state, long nowMillis) {
        Span now = spanAt(nowMillis);
        long ahead = ahead(state, now);
        return (ahead == 0 ? now.endMillis : windows.startOf(now.number + ahead + 1)) - nowMillis;
    }

    @Override
    public long windowNumber(long state) {
        return state >>> countBits;
    }

    @Override
    public boolean isIdle(long state, long nowMillis) {
        return ahead(state, nowMillis) < -1;
    }
}
