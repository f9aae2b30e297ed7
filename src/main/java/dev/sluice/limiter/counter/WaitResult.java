package dev.sluice.limiter.counter;

import dev.sluice.Decision.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The result of waiting for the store.
 *
 * @param kind what happens to the call
 * @param state if the call was granted what it needs: its pool's state after that
 */
public record WaitResult(Kind kind, long state) {

    /** More may be available: the call looks again. */
    public static final WaitResult LOOK_AGAIN = new WaitResult(Kind.LOOK_AGAIN, 0);

    /** A limit is used up, or the deadline has passed. */
    public static final WaitResult NOTHING = new WaitResult(Kind.NOTHING, 0);

    /** The number of threads that wait for the store is at its maximum. */
    public static final WaitResult TOO_MANY_WAIT = new WaitResult(Kind.TOO_MANY_WAIT, 0);

    /** What happens to the call. */
    public enum Kind {
        GRANTED,
        LOOK_AGAIN,
        NOTHING,
        TOO_MANY_WAIT
    }

    /** The call was granted what it needs. */
    public static WaitResult granted(long state) {
        return new WaitResult(Kind.GRANTED, state);
    }

    public boolean isGranted() {
        return kind == Kind.GRANTED;
    }

    /** The outcome if the call is refused; {@code null} if it continues. */
    public @Nullable Outcome refusal() {
        return switch (kind) {
            case NOTHING -> Outcome.REFUSED;
            case TOO_MANY_WAIT -> Outcome.REFUSED_BUSY;
            case GRANTED, LOOK_AGAIN -> null;
        };
    }
}
