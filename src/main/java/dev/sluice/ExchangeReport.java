package dev.sluice;

import java.time.Duration;

/**
 * What one exchange with the store was.
 *
 * @param took from sending the batch until the answer was there
 * @param claims how many counters the batch spoke of; 0 if it only asked whether the store is well
 * @param awaited how many of them calls were waiting for
 * @param granted how many permits the store has granted in all
 * @param overLimit how many calls of this instance, at most, have taken fixed windows beyond their thresholds and what
 *     may pass beyond them, as the batch has told: by slack, or while the store was away
 */
public record ExchangeReport(Duration took, int claims, int awaited, long granted, long overLimit) {}
