/**
 * What does this instance have to tell and ask of the store? {@link dev.sluice.limiter.ledger.Ledger} knows the accounts
 * of all shared pools, makes the claims of a batch, and takes in what the answers and the news of others mean; {@link
 * dev.sluice.limiter.ledger.Notes} is where calls leave word for it. It sends nothing, and has no clock and no thread.
 * Called by {@code exchange}; it may call {@code account}, {@code shared}, {@code rule} and {@code counter}.
 */
@NullMarked
package dev.sluice.limiter.ledger;

import org.jspecify.annotations.NullMarked;
