package dev.sluice.limiter.counter;

import dev.sluice.Decision.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The result of waiting.
 *
 * @param refusal the outcome if the call is refused; {@code null} if its {@link Sharing.WaitingAttempt} was decided
 * @param reason what the call waited for last; {@code null} if it has not waited
 */
public record WaitResult(
        @Nullable Outcome refusal, @Nullable Reason reason) {

    /** What a call waits for. */
    public enum Reason {
        /** The store, or permits that other instances hold. */
        STORE,
        /** Calls under way, whose outcome decides whether they return what they took. */
        OUTCOMES
    }

    /** A limit is known to be used up, or the deadline has passed: there is nothing to wait for. */
    public static final WaitResult NOTHING = new WaitResult(Outcome.REFUSED, null);
}
