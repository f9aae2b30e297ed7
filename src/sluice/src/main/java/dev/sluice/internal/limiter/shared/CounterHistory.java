package dev.sluice.internal.limiter.shared;

import dev.sluice.internal.limiter.counter.CompiledLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The frame history of one shared counter. All counters without sliding windows share one empty history. Thread-safe.
 */
public final class CounterHistory {

    private static final CounterHistory NONE = new CounterHistory(FrameTotals.NONE, FrameTotals.NONE, FrameTotals.NONE);

    /** The fleet's use in each frame, as recorded by the store; empty for limits without sliding windows. */
    public final FrameTotals frames;
    /** This instance's unrecorded use in each frame. */
    public final FrameTotals unrecorded;
    /** This instance's reported use in each frame. Only the background thread reads and writes this history. */
    public final FrameTotals ownFrames;

    private CounterHistory(FrameTotals frames, FrameTotals unrecorded, FrameTotals ownFrames) {
        this.frames = frames;
        this.unrecorded = unrecorded;
        this.ownFrames = ownFrames;
    }

    static CounterHistory of(CompiledLimit limit) {
        return limit.frames == 0
                ? NONE
                : new CounterHistory(FrameTotals.of(limit), FrameTotals.of(limit), FrameTotals.of(limit));
    }

    /** The known use in each frame of one counter's sliding window. Thread-safe. */
    public static final class FrameTotals {

        private static final FrameTotals NONE = new FrameTotals(0, 0);

        private final int frames;
        private final long frameMillis;
        private final TreeMap<Long, Long> known = new TreeMap<>();

        private static FrameTotals of(CompiledLimit limit) {
            return new FrameTotals(limit.frames, limit.lengthMillis);
        }

        private FrameTotals(int frames, long frameMillis) {
            this.frames = frames;
            this.frameMillis = frameMillis;
        }

        /**
         * Records the total of the frame that starts at the given time. Does nothing for limits without sliding
         * windows.
         */
        public synchronized void set(long start, long total) {
            if (frames > 0) {
                known.tailMap(start + frames * frameMillis, false).clear(); // frames left over from a wrong clock
                known.put(start, total);
                while (known.size() > frames + 2) {
                    known.pollFirstEntry();
                }
            }
        }

        /**
         * Records the total of the frame that starts at the given time and the totals of the earlier frames, newest
         * first.
         */
        public void set(long start, long total, List<Long> before) {
            set(start, total);
            for (int i = 0; i < before.size(); i++) {
                set(start - (i + 1) * frameMillis, before.get(i));
            }
        }

        /** Returns the total of the frame that starts at the given time; 0 if it is unknown. */
        public synchronized long at(long start) {
            return known.getOrDefault(start, 0L);
        }

        /**
         * Returns the totals of the frames before the one that starts at the given time, newest first; 0 for unknown
         * frames.
         */
        public List<Long> before(long start) {
            List<Long> totals = new ArrayList<>(frames);
            for (int i = 1; i <= frames; i++) {
                totals.add(at(start - i * frameMillis));
            }
            return totals;
        }
    }
}
