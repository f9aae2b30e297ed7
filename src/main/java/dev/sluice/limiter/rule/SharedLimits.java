package dev.sluice.limiter.rule;

import dev.sluice.limiter.counter.CounterFamily;
import dev.sluice.tier.Limit;

/** The rules of shared counters, by algorithm. */
public final class SharedLimits {

    private SharedLimits() {}

    /**
     * How a counter of this family is shared.
     *
     * @param start of its window or frame; 0 if time is not cut into such
     * @param end of its window or frame
     */
    public static SharedLimit of(CounterFamily family, long start, long end) {
        long most = family.compiledLimit.most;
        return family.tier
                .limit()
                .byAlgorithm(new Limit.Cases<>(
                        (Limit.FixedWindow window) -> new SharedFixedWindow(most, end),
                        (Limit.SlidingWindow window) ->
                                new SharedSlidingWindow(most, window.subWindows(), start, window.frameMillis()),
                        (Limit.SlidingLog log) ->
                                new SharedLog(most, log.period().toMillis()),
                        (Limit.TokenBucket bucket) -> SharedBucket.of(bucket, most),
                        (Limit.LeakyBucket bucket) -> SharedBucket.of(bucket, most),
                        (Limit.Concurrency places) -> new SharedConcurrency(most)));
    }
}
