/**
 * How much is allowed? A {@link dev.sluice.tier.Tier} has a {@link dev.sluice.tier.Limit} (one record for each
 * algorithm), its {@link dev.sluice.tier.Overage}, and how instances share it ({@link dev.sluice.tier.Sync}). This
 * package has only immutable values.
 */
@NullMarked
package dev.sluice.tier;

import org.jspecify.annotations.NullMarked;
