package dev.sluice.limiter.shared;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** What is known of the frames of one counter's sliding window: how much of each was used. Safe for any threads. */
public final class FrameTotals {

    /** Of counters whose windows do not slide. */
    private static final FrameTotals NONE = new FrameTotals(0, 0);

    private final int frames;
    private final long frameMillis;
    private final TreeMap<Long, Long> known = new TreeMap<>();

    /** Knows nothing yet of a period of so many frames. */
    static FrameTotals of(int frames, long frameMillis) {
        return frames == 0 ? NONE : new FrameTotals(frames, frameMillis);
    }

    private FrameTotals(int frames, long frameMillis) {
        this.frames = frames;
        this.frameMillis = frameMillis;
    }

    /** So much was used of the frame that begins then; nothing is learned of windows that do not slide. */
    public synchronized void learn(long start, long total) {
        if (frames > 0) {
            known.put(start, total);
            while (known.size() > frames + 2) {
                known.pollFirstEntry();
            }
        }
    }

    /** At least so much was used of the frame that begins then. */
    public synchronized void learnAtLeast(long start, long total) {
        learn(start, Math.max(total, at(start)));
    }

    /** What is known of the frame that begins then. */
    public synchronized long at(long start) {
        return known.getOrDefault(start, 0L);
    }

    /** The totals of the frames before that one, the newest first, as far as they are known. */
    public List<Long> before(long start) {
        List<Long> totals = new ArrayList<>(frames);
        for (int i = 1; i <= frames; i++) {
            totals.add(at(start - i * frameMillis));
        }
        return totals;
    }
}
