package dev.sluice.limiter.shared;

import dev.sluice.limiter.counter.CounterFamily;
import org.jspecify.annotations.Nullable;

/** What is known of one shared counter from window to window. */
public final class CounterHistory {

    /** How much the fleet has used of each frame; knows nothing where windows do not slide. */
    public final FrameTotals frames;
    /** How much of them this instance has used, as far as it was told; the background's alone. */
    public final FrameTotals ownFrames;

    private final long intervalNanos;
    private @Nullable CallRate rate;

    CounterHistory(CounterFamily family) {
        this.frames = FrameTotals.of(family.compiledLimit.frames, family.compiledLimit.lengthMillis);
        this.ownFrames = FrameTotals.of(family.compiledLimit.frames, family.compiledLimit.lengthMillis);
        this.intervalNanos = family.tier.sync().every().toNanos();
    }

    /** How the counter is called here. The background's alone. */
    public CallRate rate(long nowNanos) {
        CallRate known = rate == null ? new CallRate(intervalNanos, nowNanos) : rate;
        rate = known;
        return known;
    }
}
