/**
 * How much is allowed? A tier is one limit ({@link dev.sluice.tier.Limit}, one record for each algorithm) with what may
 * pass beyond it ({@link dev.sluice.tier.Overage}) and how instances count it together ({@link dev.sluice.tier.Sync}).
 * Values only; this package uses no other, and every package may use it.
 */
@NullMarked
package dev.sluice.tier;

import org.jspecify.annotations.NullMarked;
