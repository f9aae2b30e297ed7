/**
 * How many calls are allowed? This package reads {@code tiers}: algorithm, threshold, period, overage and {@code sync}
 * ({@link dev.sluice.internal.config.tier.TierSection}). It also warns about tiers that have no effect
 * ({@link dev.sluice.internal.config.tier.TierChecks}).
 */
@NullMarked
package dev.sluice.internal.config.tier;

import org.jspecify.annotations.NullMarked;
