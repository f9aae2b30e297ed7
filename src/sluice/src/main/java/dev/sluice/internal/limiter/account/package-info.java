/**
 * What does an instance know about one shared counter, and what follows from each event? This package has immutable
 * values and pure functions: {@link dev.sluice.internal.limiter.account.Event} lists what can happen, {@link
 * dev.sluice.internal.limiter.account.Account} says what follows, and the ledger carries out the {@link
 * dev.sluice.internal.limiter.account.Effects}.
 */
@NullMarked
package dev.sluice.internal.limiter.account;

import org.jspecify.annotations.NullMarked;
