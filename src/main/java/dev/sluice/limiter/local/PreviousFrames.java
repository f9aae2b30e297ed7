package dev.sluice.limiter.local;

import dev.sluice.algorithm.SlidingWindow;
import dev.sluice.limiter.counter.Permits;
import org.jspecify.annotations.Nullable;

/**
 * The frames before one frame of a sliding window, closed and as a rule unchanging: what they weigh, and when they are
 * forgotten.
 */
final class PreviousFrames {

    private final long frameMillis;
    /** The newest first; {@code null} where nobody called. */
    private final @Nullable Permits[] frames;

    private PreviousFrames(long frameMillis, @Nullable Permits[] frames) {
        this.frameMillis = frameMillis;
        this.frames = frames;
    }

    /** Frames in which nobody called. */
    static PreviousFrames empty(int frames, long frameMillis) {
        return new PreviousFrames(frameMillis, new @Nullable Permits[frames]);
    }

    /**
     * The frames before a later one.
     *
     * @param last the frame that comes after these
     * @param later how many frames the later one comes after it, at least one
     */
    PreviousFrames followedBy(Permits last, long later) {
        @Nullable Permits[] before = new @Nullable Permits[frames.length];
        for (int i = 0; i < before.length; i++) {
            long back = i + 1 - later;
            before[i] = back < 0 ? null : back == 0 ? last : frames[(int) back - 1];
        }
        return new PreviousFrames(frameMillis, before);
    }

    /** How much is still counted of them, so long after the newest one ended. */
    long weight(long elapsedMillis) {
        long whole = 0;
        for (int i = 0; i < frames.length - 1; i++) {
            whole += count(i);
        }
        return SlidingWindow.weightOfPast(whole, count(frames.length - 1), elapsedMillis, frameMillis);
    }

    /** Whether some call has not decided yet whether it counts in one of the frames. */
    boolean hasUndecidedCalls() {
        for (Permits frame : frames) {
            if (frame != null && frame.hasUndecidedCalls()) {
                return true;
            }
        }
        return false;
    }

    /** What was admitted in each, the newest first. */
    long[] counts() {
        long[] counts = new long[frames.length];
        for (int i = 0; i < frames.length; i++) {
            counts[i] = count(i);
        }
        return counts;
    }

    private long count(int place) {
        Permits frame = frames[place];
        return frame == null ? 0 : Permits.ALL - frame.number();
    }
}
