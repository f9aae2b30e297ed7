package dev.sluice.internal.store.admin;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Rule;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A counter to read.
 *
 * @param rule how the store counts it
 */
public record LiveCounter(CounterKey key, Rule rule) {

    /** Its key, followed by those of the earlier frames that still count, newest first. */
    public Stream<CounterKey> keys() {
        return IntStream.rangeClosed(0, rule instanceof Rule.Frame frame ? frame.frames() : 0)
                .mapToObj(key::earlier);
    }

    /** Whether what was used at this time may still count: not if a bucket has refilled or a log has dropped it. */
    boolean mayCount(long usedMillis, long nowMillis) {
        if (rule instanceof Rule.Bucket bucket) {
            return nowMillis - usedMillis < bucket.depth() / bucket.milli();
        }
        return !(rule instanceof Rule.Log log) || nowMillis - usedMillis < log.periodMillis();
    }
}
