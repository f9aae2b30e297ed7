/**
 * What is known of one shared counter, and what follows from each event? Immutable values and pure functions;
 * {@link dev.sluice.internal.limiter.account.Account} has the events.
 */
@NullMarked
package dev.sluice.internal.limiter.account;

import org.jspecify.annotations.NullMarked;
