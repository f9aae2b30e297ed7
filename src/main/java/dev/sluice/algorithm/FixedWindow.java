package dev.sluice.algorithm;

/**
 * Fixed windows: time is cut into windows of one period, aligned to the epoch, so that all who agree on the time agree
 * on the windows. Each window has its own count; at its end all is forgotten. Simple and cheap, and blind to where in
 * two neighbouring windows the calls fell: around the boundary twice the threshold can pass within one period.
 *
 * <p>The state has the window's number above, as many of its bits as there is room for, and the count below. A call
 * that is late is counted in the window that has begun. A clock that has stepped back leaves a window too far ahead; it
 * is believed up to a period, or some seconds.
 */
public final class FixedWindow implements SingleWordAlgorithm {

    /**
     * There is always room for so large a count, so that a limit that becomes smaller forgets nothing of what was
     * counted.
     */
    private static final int LEAST_COUNT_BITS = 32;

    private final long most;
    private final long periodMillis;
    private final int countBits;
    private final long countMask;
    /** The highest bits, which the number of a window has no room in: the one of the sign and those of the count. */
    private final int unnumbered;

    private final long furthest;

    /**
     * The window that was asked for last: a division takes as long as all else here. Written by threads at once; one
     * that finds a stale window works it out again.
     */
    private Span latest = new Span(0, 0, 0);

    /**
     * The arithmetic of windows.
     *
     * @param most that passes in one of them
     */
    public FixedWindow(long most, long periodMillis) {
        this.most = most;
        this.periodMillis = periodMillis;
        this.countBits = Math.max(LEAST_COUNT_BITS, Long.SIZE - Long.numberOfLeadingZeros(most));
        this.countMask = (1L << countBits) - 1;
        this.unnumbered = countBits + 1;
        this.furthest = Math.max(1, -Math.floorDiv(-LEAST_BELIEVED_MILLIS, periodMillis));
    }

    /** One window. */
    private record Span(long number, long startMillis, long endMillis) {}

    /** The start of the window that the moment belongs to. */
    public static long startOf(long nowMillis, long periodMillis) {
        return Math.floorDiv(nowMillis, periodMillis) * periodMillis;
    }

    private long numberOf(long nowMillis) {
        Span span = latest;
        if (nowMillis < span.startMillis || nowMillis >= span.endMillis) {
            long number = Math.floorDiv(nowMillis, periodMillis);
            span = new Span(number, number * periodMillis, (number + 1) * periodMillis);
            latest = span;
        }
        return span.number;
    }

    /** By how many windows that of the state is ahead of now. */
    private long ahead(long state, long nowMillis) {
        long difference = (state >>> countBits) - numberOf(nowMillis);
        return difference << unnumbered >> unnumbered;
    }

    @Override
    public long normalised(long state, long nowMillis) {
        long ahead = ahead(state, nowMillis);
        return ahead >= 0 && ahead <= furthest ? state : numberOf(nowMillis) << unnumbered >>> 1;
    }

    @Override
    public long take(long state, long cost, long remaining, long nowMillis) {
        return cost + remaining <= left(state, nowMillis) ? state + cost : TOO_FEW;
    }

    @Override
    public long carriedOver(long state, SingleWordAlgorithm before, long nowMillis) {
        FixedWindow windows = (FixedWindow) before;
        long number = numberOf(nowMillis) + windows.ahead(state, nowMillis);
        return number << unnumbered >>> 1 | Math.min(state & windows.countMask, countMask);
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
        long ahead = ahead(state, nowMillis);
        return (numberOf(nowMillis) + ahead + 1) * periodMillis - nowMillis;
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
