package dev.sluice.limiter.counter;

import dev.sluice.Decision.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The result of waiting for the store.
 *
 * @param refusal the outcome if the call is refused; {@code null} if it continues
 * @param state if the call was granted what it needs: its pool's state after that; otherwise negative
 */
public record WaitResult(@Nullable Outcome refusal, long state) {

    /** More may be available: the call looks again. */
    public static final WaitResult LOOK_AGAIN = new WaitResult(null, -1);

    /** A limit is used up, or the deadline has passed. */
    public static final WaitResult NOTHING = new WaitResult(Outcome.REFUSED, -1);

    /** The number of threads that wait for the store is at its maximum. */
    public static final WaitResult TOO_MANY_WAIT = new WaitResult(Outcome.REFUSED_BUSY, -1);

    /** The call was granted what it needs. */
    public static WaitResult granted(long state) {
        return new WaitResult(null, state);
    }

    public boolean isGranted() {
        return state >= 0;
    }
}
