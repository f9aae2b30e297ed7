package dev.sluice.internal.algorithm;

/**
 * The sliding-window algorithm. It estimates the number of calls in the last period from the counts of frames. Frames
 * that lie completely within the period count in full. The oldest frame counts in proportion to the part of it that
 * lies within the period, as if its calls were evenly distributed: {@code current + previous × (1 − elapsed share)}.
 * Unlike fixed windows, sliding windows never admit twice the threshold around a boundary. A counter consists of only a
 * few numbers. However, calls made late in the oldest frame are underweighted. More frames reduce this error.
 */
public final class SlidingWindow {

    private SlidingWindow() {}

    /**
     * The combined weight of all frames before the current one, rounded up.
     *
     * @param whole the total count of the frames that lie completely within the period; negative if operators have
     *     given more calls to them than were used
     * @param oldest the count of the oldest frame, which lies only partly within the period. The count is negative if
     *     operators have given more calls to that frame than were used. In that case, it has no weight, because that
     *     gift offset calls in earlier frames that are no longer within the period
     * @param elapsedMillis the time since the current frame began
     */
    public static long weightOfPast(long whole, long oldest, long elapsedMillis, long frameMillis) {
        long covered = frameMillis - Math.min(Math.max(elapsedMillis, 0), frameMillis);
        return Math.max(0, whole + timesRoundedUp(Math.max(0, oldest), covered, frameMillis));
    }

    /**
     * The time until the estimate falls to the given value if no further calls are made. The result is 0 if the
     * estimate is already that low. If the estimate never falls to the given value, the result is the time until all
     * frames are outside the period.
     *
     * @param current the count of the current frame
     * @param past the counts of the earlier frames, newest first. The length of the array is the number of frames in a
     *     period. A count is negative if operators have given more calls to the frame than were used
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
            boolean isExceeded = later == 0 && current > estimate; // regardless of gifts to earlier frames
            if (into < frameMillis && !isExceeded) {
                return Math.max(0, later * frameMillis + into - elapsedMillis);
            }
        }
        return (frames + 1) * frameMillis - elapsedMillis;
    }

    /**
     * The time within a frame at which the weight of the oldest frame first fits into the given room; the frame's
     * length if it never fits.
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
