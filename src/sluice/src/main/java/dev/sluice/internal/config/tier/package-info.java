/**
 * How much is allowed? Reads {@code tiers}: algorithm, threshold, period, overage and {@code sync}
 * ({@link dev.sluice.internal.config.tier.TierSection}), and warns of tiers without effect
 * ({@link dev.sluice.internal.config.tier.TierChecks}).
 */
@NullMarked
package dev.sluice.internal.config.tier;

import org.jspecify.annotations.NullMarked;
