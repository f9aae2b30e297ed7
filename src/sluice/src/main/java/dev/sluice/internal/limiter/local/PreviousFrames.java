package dev.sluice.internal.limiter.local;

import dev.sluice.internal.algorithm.SlidingWindow;
import dev.sluice.internal.limiter.counter.Permits;
import org.jspecify.annotations.Nullable;

/**
 * The earlier frames of a sliding window. Their calls still count, but with decreasing weight. The frames are closed
 * and usually do not change. Thread-safe.
 */
final class PreviousFrames {

    private final long frameMillis;
    /** The frames, newest first; {@code null} for a frame without calls. */
    private final @Nullable Permits[] frames;

    private PreviousFrames(long frameMillis, @Nullable Permits[] frames) {
        this.frameMillis = frameMillis;
        this.frames = frames;
    }

    /** Creates frames without calls. */
    static PreviousFrames empty(int frames, long frameMillis) {
        return new PreviousFrames(frameMillis, new @Nullable Permits[frames]);
    }

    /**
     * Returns the frames that precede a later frame.
     *
     * @param last the frame that directly follows these frames
     * @param later the number of frames from {@code last} to the later frame; at least 1
     */
    PreviousFrames followedBy(Permits last, long later) {
        @Nullable Permits[] before = new @Nullable Permits[frames.length];
        for (int i = 0; i < before.length; i++) {
            long back = i + 1 - later;
            before[i] = back < 0 ? null : back == 0 ? last : frames[(int) back - 1];
        }
        return new PreviousFrames(frameMillis, before);
    }

    /** Returns the weight of these frames after the given time has passed since the end of the newest frame. */
    long weight(long elapsedMillis) {
        long whole = 0;
        for (int i = 0; i < frames.length - 1; i++) {
            whole += count(i);
        }
        return SlidingWindow.weightOfPast(whole, count(frames.length - 1), elapsedMillis, frameMillis);
    }

    /** Whether a call has yet to keep or release permits that it borrowed from one of the frames. */
    boolean hasUndecidedCalls() {
        for (Permits frame : frames) {
            if (frame != null && frame.hasUndecidedCalls()) {
                return true;
            }
        }
        return false;
    }

    /** Returns the number of admitted calls in each frame, newest first. */
    long[] counts() {
        long[] counts = new long[frames.length];
        for (int i = 0; i < frames.length; i++) {
            counts[i] = count(i);
        }
        return counts;
    }

    private long count(int index) {
        Permits frame = frames[index];
        return frame == null ? 0 : Permits.ALL - frame.number();
    }
}
