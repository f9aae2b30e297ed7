/**
 * How much is allowed? A tier is a limit ({@link dev.sluice.tier.Limit}, one record for each algorithm), its
 * {@link dev.sluice.tier.Overage}, and how instances share it ({@link dev.sluice.tier.Sync}). Values only. This package
 * uses no other; every package may use it.
 */
@NullMarked
package dev.sluice.tier;

import org.jspecify.annotations.NullMarked;
