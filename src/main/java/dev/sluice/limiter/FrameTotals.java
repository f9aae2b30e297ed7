package dev.sluice.limiter;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** What the background knows of the frames of one counter's sliding window: how much the fleet has used of each. For one thread. */
final class FrameTotals {

    private final int frames;
    private final long frameMillis;
    private final long settledMillis;
    private final TreeMap<Long, Known> known = new TreeMap<>();

    /**
     * Knows nothing yet.
     *
     * @param frames of a period
     * @param settledMillis after the end of a frame, all instances have returned what they did not use of it
     */
    FrameTotals(int frames, long frameMillis, long settledMillis) {
        this.frames = frames;
        this.frameMillis = frameMillis;
        this.settledMillis = settledMillis;
    }

    /**
     * What is known of one frame.
     *
     * @param total of the fleet, as the store said it
     * @param own used here
     * @param heardMillis when the store said it; 0 if it has not
     */
    private record Known(long total, long own, long heardMillis) {

        private static final Known NOTHING = new Known(0, 0, 0);
    }

    /** The store has told the total of the frame that begins then. */
    void heard(long start, long total, long nowMillis) {
        known.merge(start, new Known(total, 0, nowMillis), (before, now) -> new Known(total, before.own, nowMillis));
        forgetOldest();
    }

    /** So much was used here of the frame that begins then. */
    void used(long start, long own) {
        known.merge(start, new Known(0, own, 0), (before, now) -> new Known(before.total, own, before.heardMillis));
        forgetOldest();
    }

    private void forgetOldest() {
        while (known.size() > frames + 2) {
            known.pollFirstEntry();
        }
    }

    /** The totals of the frames before that one, the newest first, as far as they are known. */
    long[] before(long start) {
        long[] totals = new long[frames];
        for (int i = 0; i < frames; i++) {
            Known frame = known.getOrDefault(start - (i + 1) * frameMillis, Known.NOTHING);
            totals[i] = Math.max(frame.total, frame.own);
        }
        return totals;
    }

    /** The beginnings of the frames before that one which the store has to be asked for: once when they are over, and once when all is returned. */
    List<Long> lacking(long start, long nowMillis) {
        List<Long> lacking = new ArrayList<>();
        for (int i = 1; i <= frames; i++) {
            long frame = start - i * frameMillis;
            long end = frame + frameMillis;
            long heard = known.getOrDefault(frame, Known.NOTHING).heardMillis;
            long settled = end + settledMillis;
            if (heard < end || (heard < settled && nowMillis >= settled)) {
                lacking.add(frame);
            }
        }
        return lacking;
    }

    /** Whether each of the frames before that one was heard of after its end. */
    boolean knowsPastOf(long start) {
        for (int i = 1; i <= frames; i++) {
            long frame = start - i * frameMillis;
            if (known.getOrDefault(frame, Known.NOTHING).heardMillis < frame + frameMillis) {
                return false;
            }
        }
        return true;
    }
}
