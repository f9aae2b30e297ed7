/**
 * Which accounts are there, and which of them does a call, an answer, news or a loss concern?
 * {@link dev.sluice.internal.limiter.ledger.Ledger} tells each account what happens to it, and carries out what
 * follows. It does not send, and has no clock and no thread.
 */
@NullMarked
package dev.sluice.internal.limiter.ledger;

import org.jspecify.annotations.NullMarked;
