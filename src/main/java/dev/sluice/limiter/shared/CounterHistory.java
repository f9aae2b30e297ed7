package dev.sluice.limiter.shared;

import dev.sluice.limiter.counter.CounterFamily;
import org.jspecify.annotations.Nullable;

/** What is kept of one shared counter from window to window. */
public final class CounterHistory {

    /** How much the fleet used of each frame, as the store counts; empty unless windows slide. */
    public final FrameTotals frames;
    /** How much this instance used of each frame that the store does not count. */
    public final FrameTotals uncounted;
    /** How much this instance used of each frame, as reported; for the background only. */
    public final FrameTotals ownFrames;
    /** The background's data of the latest window; for the background only. */
    public @Nullable Attachment latest;

    CounterHistory(CounterFamily family) {
        this.frames = FrameTotals.of(family.compiledLimit.frames, family.compiledLimit.lengthMillis);
        this.uncounted = FrameTotals.of(family.compiledLimit.frames, family.compiledLimit.lengthMillis);
        this.ownFrames = FrameTotals.of(family.compiledLimit.frames, family.compiledLimit.lengthMillis);
    }

    /** The background's data for one window. */
    public interface Attachment {}
}
