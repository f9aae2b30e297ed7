/**
 * What does this instance have to tell and ask of the store? {@link dev.sluice.limiter.ledger.Ledger} has the
 * accounts of all shared pools, makes the claims of a batch, and takes in what the answers and the news of others mean;
 * in {@link dev.sluice.limiter.ledger.Notes} calls ask it to look at their pools. It sends nothing, and has no clock and no thread.
 * Called by {@code exchange}; it may call {@code account}, {@code shared}, {@code rule} and {@code counter}.
 */
@NullMarked
package dev.sluice.limiter.ledger;

import org.jspecify.annotations.NullMarked;
