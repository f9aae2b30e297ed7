package dev.sluice.internal.algorithm;

/**
 * Sliding windows. The number of calls in the last period is estimated from counts in frames. Frames that lie
 * completely in the period count in full. The oldest frame counts in proportion to its part in the period, as if its
 * calls were evenly distributed: {@code current + previous × (1 − elapsed share)}. Unlike with fixed windows, twice the
 * threshold can never pass around a boundary. A counter takes only a few numbers. Calls late in the oldest frame have
 * too little weight. More frames reduce that error.
 */
public final class SlidingWindow {

    private SlidingWindow() {}

    /**
     * The weight of all frames before the current one, rounded up.
     *
     * @param whole the total count of the frames that lie completely in the period; negative if more calls were given
     *     there than used
     * @param oldest the count of the frame before them, which lies partly in the period. If it is negative, because
     *     more calls were given there than used, it has no weight: the gift offset the use of frames that are over
     * @param elapsedMillis the time since the current frame began
     */
    public static long weightOfPast(long whole, long oldest, long elapsedMillis, long frameMillis) {
        long covered = frameMillis - Math.min(Math.max(elapsedMillis, 0), frameMillis);
        return Math.max(0, whole + timesRoundedUp(Math.max(0, oldest), covered, frameMillis));
    }

    /**
     * The time until the estimate falls to this value if there are no further calls. The result is 0 if the estimate is
     * already that low. If it never falls to this value, the result is the time until all frames have left the period.
     *
     * @param current the count of the current frame
     * @param past the counts of earlier frames, newest first. Their number is the number of frames in a period. A count
     *     is negative if more calls were given there than used
     */
    public static long millisUntil(long estimate, long current, long[] past, long elapsedMillis, long frameMillis) {
        int frames = past.length;
        long full = current;
        for (int i = 0; i < frames - 1; i++) {
            full += past[i];
        }
        for (int later = 0; later <= frames; later++) {
            long oldest = later == frames ? current : past[frames - 1 - later];
            if (later > 0) {
                full -= oldest;
            }
            long into = millisInto(estimate - full, oldest, frameMillis);
            boolean isExceeded = later == 0 && current > estimate; // regardless of calls given in earlier frames
            if (into < frameMillis && !isExceeded) {
                return Math.max(0, later * frameMillis + into - elapsedMillis);
            }
        }
        return (frames + 1) * frameMillis - elapsedMillis;
    }

    /**
     * The time within a frame at which the weight of the oldest frame first fits into this room; the frame's length if
     * it never fits.
     */
    private static long millisInto(long room, long oldest, long frameMillis) {
        if (room < 0) {
            return frameMillis;
        }
        return oldest <= room ? 0 : frameMillis - timesRoundedDown(frameMillis, room, oldest);
    }

    private static long timesRoundedUp(long count, long part, long whole) {
        return overflows(count, part)
                ? (long) Math.ceil((double) count * part / whole)
                : -Math.floorDiv(-count * part, whole);
    }

    private static long timesRoundedDown(long count, long part, long whole) {
        return overflows(count, part) ? (long) ((double) count * part / whole) : count * part / whole;
    }

    /** Whether the product of two non-negative numbers overflows. Avoids a division. */
    private static boolean overflows(long count, long part) {
        return Math.multiplyHigh(count, part) != 0 || count * part < 0;
    }
}
