/**
 * How much is allowed? Reads {@code tiers}: algorithm, threshold, period, overage and {@code sync} ({@link
 * dev.sluice.internal.config.tier.TierSection}), and warns of tiers without effect ({@link
 * dev.sluice.internal.config.tier.TierChecks}). Called by {@code keys}, and, for tiers written as one word ({@link
 * dev.sluice.internal.config.tier.TierText}) by {@code config} and the command line; may call {@code shape} and {@code
 * yaml}.
 */
@NullMarked
package dev.sluice.internal.config.tier;

import org.jspecify.annotations.NullMarked;
