package dev.sluice.internal.limiter.local;

import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamily;

/** Creates counters that only this process uses. There is one class for each way of counting. */
public final class LocalCounters {

    private LocalCounters() {}

    /** Creates a counter of the given family. */
    public static Counter open(CounterFamily family, Object values) {
        return switch (family.tier.limit().algorithm()) {
            case FIXED_WINDOW, TOKEN_BUCKET, LEAKY_BUCKET -> new SingleWordCounter(family, values);
            case SLIDING_WINDOW -> new LocalSlidingWindowCounter(family, values);
            case SLIDING_LOG -> new LocalLog(family, values);
            case CONCURRENCY -> new ConcurrencySlots(family, values);
        };
    }
}
