/**
 * What does this instance report to the store, and what does it ask? {@link dev.sluice.limiter.ledger.Ledger} has the
 * accounts of all shared pools, builds the claims of a batch, and applies answers and news; through
 * {@link dev.sluice.limiter.ledger.CheckRequests} calls request checks of their pools. It sends nothing, and has no clock and
 * no thread. Called by {@code exchange}; it may call {@code account}, {@code shared}, {@code rule} and {@code counter}.
 */
@NullMarked
package dev.sluice.limiter.ledger;

import org.jspecify.annotations.NullMarked;
