/**
 * What does an instance know about one shared counter, and what follows from each event? This package contains
 * immutable values and pure functions. {@link dev.sluice.internal.limiter.account.Event} lists the possible events.
 * {@link dev.sluice.internal.limiter.account.Account} determines what follows from them. The ledger carries out the
 * resulting {@link dev.sluice.internal.limiter.account.Effects}.
 */
@NullMarked
package dev.sluice.internal.limiter.account;

import org.jspecify.annotations.NullMarked;
