package dev.sluice.limiter;

/** How one counter was called lately, as far as the background has seen; only where counters are shared. The background's alone. */
final class Habits {

    /**
     * A counter that was not called for a whole window has a share of the next one taken ahead only after so many that were called in
     * succession: where a caller's calls go to other instances each time, it would only have to be returned.
     */
    private static final int TRUSTED = 3;

    /** Calls a millisecond that are to be expected. */
    double rate;
    /** The part of all calls that comes here, as far as the window before this one has shown. */
    double part = 1;

    /** The beginning of the last window that was called, and how many were in succession. */
    private long calledLast = Long.MIN_VALUE;

    private int inSuccession;

    /** The window that begins then was called. */
    void noteCalled(long start, long lengthMillis) {
        if (start == calledLast) {
            return;
        }
        boolean first = calledLast == Long.MIN_VALUE;
        boolean following = calledLast == start - lengthMillis;
        inSuccession = first ? TRUSTED : following ? Math.min(inSuccession + 1, TRUSTED) : 1;
        calledLast = start;
    }

    /** Whether it is called in one window after the other, and often enough to expect a call in such a time. */
    boolean expectsCallWithin(long millis) {
        return inSuccession == TRUSTED && rate * millis >= 1;
    }
}
