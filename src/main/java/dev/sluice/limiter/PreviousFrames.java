package dev.sluice.limiter;

import dev.sluice.algorithm.SlidingWindow;
import org.jspecify.annotations.Nullable;

/** The frames before one frame of a sliding window, closed and as a rule unchanging: what they weigh, and when they are forgotten. */
final class PreviousFrames {

    private final long frameMillis;
    /** The newest first; {@code null} where nobody called. */
    private final @Nullable Permits[] frames;

    private PreviousFrames(long frameMillis, @Nullable Permits[] frames) {
        this.frameMillis = frameMillis;
        this.frames = frames;
    }

    /** The frames before the one that begins then. */
    static PreviousFrames before(long start, int frames, long frameMillis, @Nullable LocalFrame last) {
        @Nullable Permits[] before = new @Nullable Permits[frames];
        if (last != null && last.start < start) {
            for (int i = 0; i < frames; i++) {
                before[i] = frame(last, last.previous, start - (i + 1) * frameMillis);
            }
        }
        return new PreviousFrames(frameMillis, before);
    }

    private static @Nullable Permits frame(LocalFrame last, PreviousFrames previous, long start) {
        long earlier = (last.start - start) / previous.frameMillis;
        if (earlier == 0) {
            return last.permits;
        }
        return earlier > 0 && earlier <= previous.frames.length ? previous.frames[(int) earlier - 1] : null;
    }

    long weight(long elapsedMillis) {
        long whole = 0;
        for (int i = 0; i < frames.length - 1; i++) {
            whole += count(i);
        }
        return SlidingWindow.weightOfPast(whole, count(frames.length - 1), elapsedMillis, frameMillis);
    }

    /** The time until a call of that cost passes in the window of the present, or in one after it. */
    long millisUntil(long cost, LocalFrame present, long nowMillis) {
        return SlidingWindow.millisUntil(
                present.counter.most() - present.elasticOverage() - cost,
                present.used(),
                counts(),
                nowMillis - present.start,
                frameMillis);
    }

    long millisUntilForgotten(LocalFrame present, long nowMillis) {
        long elapsed = nowMillis - present.start;
        return present.used() > 0
                ? (frames.length + 1) * frameMillis - elapsed
                : SlidingWindow.millisUntil(0, 0, counts(), elapsed, frameMillis);
    }

    /** Whether some call has not decided yet whether it counts in one of the frames. */
    boolean unsettled() {
        for (Permits frame : frames) {
            if (frame != null && frame.unsettled()) {
                return true;
            }
        }
        return false;
    }

    private long[] counts() {
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
