package dev.sluice;

import java.time.Duration;

/**
 * The figures of one exchange with the store, for {@link RateLimitListener#onExchange}. Immutable and thread-safe.
 *
 * @param took the time between sending the batch and receiving the reply
 * @param counters the number of counters in the batch; 0 for a batch that only checks the store
 * @param awaited the number of counters in the batch for which calls were waiting
 * @param granted the total number of permits that the store granted
 * @param overLimit an upper bound for the number of calls that passed on this instance beyond the threshold and overage
 *     of fixed windows, either because of slack or while the store was unavailable
 */
public record ExchangeReport(Duration took, int counters, int awaited, long granted, long overLimit) {}
