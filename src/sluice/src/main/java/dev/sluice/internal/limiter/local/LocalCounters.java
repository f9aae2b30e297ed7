package dev.sluice.internal.limiter.local;

import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamily;

/** Creates counters of this process alone, with one class for each way of counting. */
public final class LocalCounters {

    private LocalCounters() {}

    /** A new counter of this family. */
    public static Counter open(CounterFamily family, Object values) {
        return switch (family.tier.limit().algorithm()) {
            case FIXED_WINDOW, TOKEN_BUCKET, LEAKY_BUCKET -> new SingleWordCounter(family, values);
            case SLIDING_WINDOW -> new LocalSlidingWindowCounter(family, values);
            case SLIDING_LOG -> new LocalLog(family, values);
            case CONCURRENCY -> new ConcurrencySlots(family, values);
        };
    }
}
