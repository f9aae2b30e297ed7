/**
 * Which accounts are there, and which of them does a call, an answer, news or a loss concern? {@link
 * dev.sluice.internal.limiter.ledger.Ledger} finds the accounts, and {@link
 * dev.sluice.internal.limiter.ledger.Dispatcher} is the one door through which events reach them. This package sends
 * nothing, and has no clock and no thread.
 */
@NullMarked
package dev.sluice.internal.limiter.ledger;

import org.jspecify.annotations.NullMarked;
