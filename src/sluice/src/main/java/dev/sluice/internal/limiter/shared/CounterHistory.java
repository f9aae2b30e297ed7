package dev.sluice.internal.limiter.shared;

import dev.sluice.internal.limiter.counter.CompiledLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The history of the frames of one shared counter. All counters without sliding windows share one. Thread-safe. */
public final class CounterHistory {

    private static final CounterHistory NONE = new CounterHistory(FrameTotals.NONE, FrameTotals.NONE, FrameTotals.NONE);

    /** The fleet's use in each frame, as recorded by the store; empty unless windows slide. */
    public final FrameTotals frames;
    /** This instance's use in each frame that the store has not recorded. */
    public final FrameTotals unrecorded;
    /** This instance's use in each frame, as reported. Only the background reads and writes it. */
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

        /** Records the total of the frame that starts at this time. Does nothing without sliding windows. */
        public synchronized void set(long start, long total) {
            if (frames > 0) {
                known.tailMap(start + frames * frameMillis, false).clear(); // frames left by a wrong clock
                known.put(start, total);
                while (known.size() > frames + 2) {
                    known.pollFirstEntry();
                }
            }
        }

        /** Records the totals of the frame that starts at this time and of the frames before it, newest first. */
        public void set(long start, long total, List<Long> before) {
            set(start, total);
            for (int i = 0; i < before.size(); i++) {
                set(start - (i + 1) * frameMillis, before.get(i));
            }
        }

        /** Returns the total of the frame that starts at this time; 0 if it is unknown. */
        public synchronized long at(long start) {
            return known.getOrDefault(start, 0L);
        }

        /**
         * Returns the totals of the frames before the one that starts at this time, newest first; 0 for unknown frames.
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
