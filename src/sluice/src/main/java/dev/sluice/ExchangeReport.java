package dev.sluice;

import java.time.Duration;

/**
 * The figures of one exchange with the store, for {@link RateLimitListener#onExchange}. Immutable and thread-safe.
 *
 * @param took the time from sending the batch to its reply
 * @param counters the number of counters in the batch; 0 for a batch that only checks the store
 * @param awaited for how many of these counters calls were waiting
 * @param granted the total of permits that the store granted
 * @param overLimit an upper bound on the calls of this instance that passed beyond threshold and overage of fixed
 *     windows, because of slack or while the store was unavailable
 */
public record ExchangeReport(Duration took, int counters, int awaited, long granted, long overLimit) {}
