package dev.sluice.internal.store.admin;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Rule;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A counter in a store, used to read its state.
 *
 * @param rule how the store counts the calls
 */
public record LiveCounter(CounterKey key, Rule rule) {

    /** The counter's key, followed by the keys of the earlier frames that still affect the limit, newest first. */
    public Stream<CounterKey> keys() {
        return IntStream.rangeClosed(0, rule instanceof Rule.Frame frame ? frame.frames() : 0)
                .mapToObj(key::earlier);
    }

    /**
     * Whether permits that were used at the given time could still count. They stop counting once the bucket has
     * refilled or the log has dropped them.
     */
    boolean mayCount(long usedMillis, long nowMillis) {
        if (rule instanceof Rule.Bucket bucket) {
            return nowMillis - usedMillis < bucket.depth() / bucket.milli();
        }
        return !(rule instanceof Rule.Log log) || nowMillis - usedMillis < log.periodMillis();
    }
}
