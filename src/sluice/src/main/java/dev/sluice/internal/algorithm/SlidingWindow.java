package dev.sluice.internal.algorithm;

/**
 * Sliding windows: the calls of the last period are estimated from counts in frames. Frames that lie completely in the
 * period count in full. The oldest frame counts in proportion to its part in the period, as if its calls came evenly:
 * {@code current + previous × (1 − elapsed share)}. So twice the threshold never passes around a boundary, and a
 * counter costs a few numbers. Calls late in the oldest frame weigh too little; more frames reduce that error.
 */
public final class SlidingWindow {

    private SlidingWindow() {}

    /**
     * The weight of all frames before the current one, rounded up.
     *
     * @param whole the count of the frames that lie completely in the period; negative if more was given there than
     *     used
     * @param oldest the count of the frame before them, which lies partly in the period. If more was given there than
     *     used, this has no weight: the gift offset the use of frames that are over
     * @param elapsedMillis the time since the current frame began
     */
    public static long weightOfPast(long whole, long oldest, long elapsedMillis, long frameMillis) {
        long covered = frameMillis - Math.min(Math.max(elapsedMillis, 0), frameMillis);
        return Math.max(0, whole + timesRoundedUp(Math.max(0, oldest), covered, frameMillis));
    }

    /**
     * The time until the estimate falls to this value if nobody calls. The result is 0 if the estimate is that low
     * already. If it never falls so low, the result is the time until all frames have left the period.
     *
     * @param current the count of the current frame
     * @param past the counts of earlier frames, newest first; as many as a period has frames. Each is negative if more
     *     was given there than used
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
            boolean isExceeded = later == 0 && current > estimate; // by itself, whatever was given in earlier frames
            if (into < frameMillis && !isExceeded) {
                return Math.max(0, later * frameMillis + into - elapsedMillis);
            }
        }
        return (frames + 1) * frameMillis - elapsedMillis;
    }

    /**
     * How far into a frame the weight of the oldest frame first fits into this room; the frame's length if it never
     * does.
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

    /** Whether the product of two non-negative numbers overflows; avoids a division. */
    private static boolean overflows(long count, long part) {
        return Math.multiplyHigh(count, part) != 0 || count * part < 0;
    }
}
