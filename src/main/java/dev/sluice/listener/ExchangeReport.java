package dev.sluice.listener;

import java.time.Duration;

/**
 * What one exchange with the store was.
 *
 * @param took from sending the batch until the answer was there
 * @param claims how many counters the batch spoke of; 0 if it only asked whether the store is well
 * @param awaited how many of them calls were waiting for
 * @param granted how many permits the store has granted in all
 */
public record ExchangeReport(Duration took, int claims, int awaited, long granted) {}
