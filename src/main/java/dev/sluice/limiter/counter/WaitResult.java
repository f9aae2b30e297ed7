package dev.sluice.limiter.counter;

import dev.sluice.Decision.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The result of waiting for the store.
 *
 * @param refusal the outcome if the call is refused; {@code null} if it continues
 * @param state if the call was granted what it needs: its pool's state after that; otherwise negative
 * @param hasWaited whether the call waited at all
 */
public record WaitResult(@Nullable Outcome refusal, long state, boolean hasWaited) {

    /** More may be available: the call looks again. */
    public static final WaitResult LOOK_AGAIN = new WaitResult(null, -1, true);

    /** A limit is known to be used up, or the deadline has passed: there is nothing to wait for. */
    public static final WaitResult NOTHING = new WaitResult(Outcome.REFUSED, -1, false);

    /** The call waited, and a limit is used up. */
    public static final WaitResult REFUSED = new WaitResult(Outcome.REFUSED, -1, true);

    /** The number of threads that wait for the store is at its maximum. */
    public static final WaitResult TOO_MANY_WAIT = new WaitResult(Outcome.REFUSED_BUSY, -1, true);

    /** The call was granted what it needs. */
    public static WaitResult granted(long state) {
        return new WaitResult(null, state, true);
    }

    public boolean isGranted() {
        return state >= 0;
    }
}
