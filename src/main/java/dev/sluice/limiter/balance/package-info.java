/**
 * How many permits of a shared pool does this instance hold, how many should it hold, and how many may it use that were
 * never granted? Used by one thread, the background's. Called by {@code account}; it may call {@code shared},
 * {@code rule} and {@code counter}.
 */
@NullMarked
package dev.sluice.limiter.balance;

import org.jspecify.annotations.NullMarked;
