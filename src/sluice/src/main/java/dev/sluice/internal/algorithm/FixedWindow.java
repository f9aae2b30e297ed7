package dev.sluice.internal.algorithm;

import dev.sluice.tier.Windows;

/**
 * Fixed windows: time is divided into windows, which are the same for all instances with the same clock. Each window
 * has its own count. Simple and cheap, but around a window's end up to twice the threshold can pass within one period.
 *
 * <p>The upper bits of the state hold the lowest bits of the window's number; the lower bits hold the count. A late
 * call is counted in the current window. If the clock steps back, the window of the state lies in the future. It is
 * kept if it is ahead by at most a period, or by some seconds.
 */
public final class FixedWindow implements SingleWordAlgorithm {

    /** The number of bits of the count. It never changes, so that the count survives when the limit is lowered. */
    private static final int LEAST_COUNT_BITS = 32;

    private final long most;
    private final Windows windows;
    private final int countBits;
    private final long countMask;
    /**
     * How many upper bits of a window's number do not fit into the state. The count takes the place of some, and the
     * sign bit of one.
     */
    private final int unusedBits;

    private final long furthest;

    /**
     * The window that was used last. It saves a division, or a calculation with the calendar. Threads may overwrite
     * each other's windows, which does no harm, because a thread that reads another window than it needs computes the
     * right one.
     */
    private Span latest = new Span(0, 0, 0);

    /**
     * Prepares the arithmetic of one limit.
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

    /** How many windows the state is ahead of the current one. */
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
