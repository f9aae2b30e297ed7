package dev.sluice.limiter.counter;

import dev.sluice.Decision.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The result of waiting for the store.
 *
 * @param refusal the outcome if the call is refused; {@code null} if its {@link Sharing.WaitingAttempt} was decided
 * @param hasWaited whether the call waited at all
 */
public record WaitResult(@Nullable Outcome refusal, boolean hasWaited) {

    /** The attempt was decided. */
    public static final WaitResult DECIDED = new WaitResult(null, true);

    /** A limit is known to be used up, or the deadline has passed: there is nothing to wait for. */
    public static final WaitResult NOTHING = new WaitResult(Outcome.REFUSED, false);

    /** The call waited, and a limit is used up. */
    public static final WaitResult REFUSED = new WaitResult(Outcome.REFUSED, true);

    /** The number of threads that wait for the store is at its maximum. */
    public static final WaitResult TOO_MANY_WAIT = new WaitResult(Outcome.REFUSED_BUSY, true);
}
