package dev.sluice.internal.limiter.rule;

import dev.sluice.internal.limiter.counter.CompiledLimit;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;

/** Selects the way in which a limit is shared, based on the limit's algorithm. */
public final class SharedLimits {

    private SharedLimits() {}

    /**
     * Returns how counters of this tier are shared.
     *
     * @param start the start of the window or frame; 0 if the limit has no windows
     * @param end the end of the window or frame
     */
    public static SharedLimit of(Tier tier, long start, long end) {
        long most = tier.most();
        return tier.limit()
                .byAlgorithm(new Limit.Cases<>(
                        (Limit.FixedWindow window) -> new SharedFixedWindow(most, end),
                        (Limit.SlidingWindow window) ->
                                new SharedSlidingWindow(most, window.subWindows(), start, window.frameMillis()),
                        (Limit.SlidingLog log) ->
                                new SharedLog(most, log.period().toMillis()),
                        (Limit.TokenBucket bucket) -> new SharedBucket(CompiledLimit.bucket(bucket, most)),
                        (Limit.LeakyBucket bucket) -> new SharedBucket(CompiledLimit.bucket(bucket, most)),
                        (Limit.Concurrency slots) -> new SharedConcurrency(most)));
    }
}
