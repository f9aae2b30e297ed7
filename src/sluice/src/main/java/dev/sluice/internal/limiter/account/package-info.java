/**
 * What is known of one shared counter, and what follows from each event? Immutable values and pure functions;
 * {@link dev.sluice.internal.limiter.account.Account} has the events. Called by {@code ledger} and {@code exchange}; it
 * may call {@code shared}, {@code rule} and {@code counter}.
 */
@NullMarked
package dev.sluice.internal.limiter.account;

import org.jspecify.annotations.NullMarked;
