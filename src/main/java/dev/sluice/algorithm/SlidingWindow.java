package dev.sluice.algorithm;

/**
 * Sliding windows: the calls of the period that ends now, estimated from counts in frames of time. A period has one
 * frame or several. The frames that it covers wholly count in full; the oldest, which it covers in part, counts by that
 * part, as if its calls had come evenly: {@code current + previous × (1 − elapsed share)}. So no boundary lets twice
 * the threshold through, and a counter costs a few numbers. Calls that came late in the oldest frame weigh less than
 * they should; the more frames, the less that matters.
 */
public final class SlidingWindow {

    private SlidingWindow() {}

    /**
     * What the frames before the current one count for now, rounded up.
     *
     * @param whole the count of the frames that the period covers wholly
     * @param oldest the count of the one before them, which it covers in part
     * @param elapsedMillis since the current frame began
     */
    public static long weightOfPast(long whole, long oldest, long elapsedMillis, long frameMillis) {
        long covered = frameMillis - Math.min(Math.max(elapsedMillis, 0), frameMillis);
        return whole + timesRoundedUp(oldest, covered, frameMillis);
    }

    /**
     * The time until the estimate has fallen to this, if nobody calls; 0 if it has, and the time until all is forgotten
     * if it never does.
     *
     * @param current the count of the current frame
     * @param past the counts of the frames before, the newest first; as many as a period has frames
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
            if (into < frameMillis) {
                return Math.max(0, later * frameMillis + into - elapsedMillis);
            }
        }
        return (frames + 1) * frameMillis - elapsedMillis;
    }

    /** How far into a frame the rest of the oldest one fits into this room; the frame's length if it never does. */
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

    /** Whether the product of two numbers, neither below zero, is too large; without a division. */
    private static boolean overflows(long count, long part) {
        return Math.multiplyHigh(count, part) != 0 || count * part < 0;
    }
}
