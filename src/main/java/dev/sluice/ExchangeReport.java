package dev.sluice;

import java.time.Duration;

/**
 * A report of one exchange with the store.
 *
 * @param took the time from sending the batch to its reply
 * @param counters the number of counters in the batch; 0 if it only checked that the store is healthy
 * @param awaited the number of those counters that calls were waiting for
 * @param granted the permits that the store granted in all
 * @param overLimit the number of calls of this instance, at most, that passed fixed windows beyond threshold and
 *     overage, as the batch reported: from slack, or while the store was away
 */
public record ExchangeReport(Duration took, int counters, int awaited, long granted, long overLimit) {}
