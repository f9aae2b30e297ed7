package dev.sluice.store;

import dev.sluice.CounterKey;
import java.time.Duration;

/**
 * How long things live in a store; the same in all of them.
 *
 * @param grace how long a counter outlives its window, for a report that is under way when the window ends
 * @param answer how long the answer to a batch is kept for a resend
 */
record Expiry(Duration grace, Duration answer) {

    static final Expiry USUAL = new Expiry(Duration.ofSeconds(2), Duration.ofSeconds(60));

    /** When a counter that is born now goes away. */
    long of(CounterKey key, long nowMillis) {
        return Math.max(key.end(), nowMillis) + grace.toMillis();
    }
}
