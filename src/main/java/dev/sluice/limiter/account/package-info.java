/**
 * What does this instance report to the store for one shared counter, what does it ask, and what do the answers mean?
 * Used by one thread, the background's. Called by {@code ledger} and {@code exchange}; it may call {@code balance},
 * {@code shared}, {@code rule} and {@code counter}.
 */
@NullMarked
package dev.sluice.limiter.account;

import org.jspecify.annotations.NullMarked;
