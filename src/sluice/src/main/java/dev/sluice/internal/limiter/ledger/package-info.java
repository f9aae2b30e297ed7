/**
 * Which accounts exist, and which of them are affected by a call, an answer, news or a loss? {@link
 * dev.sluice.internal.limiter.ledger.Ledger} finds the accounts. {@link dev.sluice.internal.limiter.ledger.Dispatcher}
 * is the only way for events to reach them. This package sends nothing, and has no clock and no threads.
 */
@NullMarked
package dev.sluice.internal.limiter.ledger;

import org.jspecify.annotations.NullMarked;
