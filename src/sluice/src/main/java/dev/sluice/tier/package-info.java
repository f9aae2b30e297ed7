/**
 * How many calls are allowed? A {@link dev.sluice.tier.Tier} has a {@link dev.sluice.tier.Limit} (one record for each
 * algorithm) and an {@link dev.sluice.tier.Overage}. Its {@link dev.sluice.tier.Sync} defines how instances share the
 * tier's counters. All values in this package are immutable.
 */
@NullMarked
package dev.sluice.tier;

import org.jspecify.annotations.NullMarked;
