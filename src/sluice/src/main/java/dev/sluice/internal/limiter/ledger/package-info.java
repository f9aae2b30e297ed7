/**
 * Which accounts exist, and which of them are affected by a call, an answer, news or a loss? {@link
 * dev.sluice.internal.limiter.ledger.Ledger} finds the accounts. {@link dev.sluice.internal.limiter.ledger.Dispatcher}
 * passes events to them. This package sends no batches itself, and uses neither a clock nor threads.
 */
@NullMarked
package dev.sluice.internal.limiter.ledger;

import org.jspecify.annotations.NullMarked;
