package dev.sluice.internal.limiter.local;

import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.tier.Limit;

/** Creates counters that only this process uses. There is one class for each way of counting. */
public final class LocalCounters {

    private LocalCounters() {}

    /** Creates a counter of the given family. */
    public static Counter open(CounterFamily family, Object values) {
        return family.tier
                .limit()
                .byAlgorithm(new Limit.Cases<>(
                        (Limit.FixedWindow window) -> new SingleWordCounter(family, values),
                        (Limit.SlidingWindow window) -> new LocalSlidingWindowCounter(family, values),
                        (Limit.SlidingLog log) -> new LocalLog(family, values),
                        (Limit.TokenBucket bucket) -> new SingleWordCounter(family, values),
                        (Limit.LeakyBucket bucket) -> new SingleWordCounter(family, values),
                        (Limit.Concurrency slots) -> new ConcurrencySlots(family, values)));
    }
}
