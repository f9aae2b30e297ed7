package dev.sluice.internal.store.admin;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Rule;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A counter that is to be read.
 *
 * @param rule the way in which the store counts it
 */
public record LiveCounter(CounterKey key, Rule rule) {

    /** Its key, followed by those of the earlier frames that still count, newest first. */
    public Stream<CounterKey> keys() {
        return IntStream.rangeClosed(0, rule instanceof Rule.Frame frame ? frame.frames() : 0)
                .mapToObj(key::earlier);
    }

    /**
     * Whether permits that were used at that time may still count. They do not if a bucket has refilled or a log has
     * dropped them.
     */
    boolean mayCount(long usedMillis, long nowMillis) {
        if (rule instanceof Rule.Bucket bucket) {
            return nowMillis - usedMillis < bucket.depth() / bucket.milli();
        }
        return !(rule instanceof Rule.Log log) || nowMillis - usedMillis < log.periodMillis();
    }
}
