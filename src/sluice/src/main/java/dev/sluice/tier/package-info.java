/**
 * How many calls are allowed? A {@link dev.sluice.tier.Tier} has a {@link dev.sluice.tier.Limit} (one record for each
 * algorithm), an {@link dev.sluice.tier.Overage}, and a {@link dev.sluice.tier.Sync}, which defines how instances share
 * the tier. All values in this package are immutable.
 */
@NullMarked
package dev.sluice.tier;

import org.jspecify.annotations.NullMarked;
