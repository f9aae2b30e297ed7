package dev.sluice.limiter.counter;

import dev.sluice.Decision.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * What a call has got that waited for the store.
 *
 * @param kind what becomes of the call
 * @param reading if it was granted what it needs: a reading of its pool just after that
 */
public record WaitResult(Kind kind, long reading) {

    /** There may be more than before: it is worth looking again. */
    public static final WaitResult LOOK_AGAIN = new WaitResult(Kind.LOOK_AGAIN, 0);

    /** One of the limits is used up, or the deadline has passed. */
    public static final WaitResult NOTHING = new WaitResult(Kind.NOTHING, 0);

    /** So many threads wait for the store that this one may not. */
    public static final WaitResult TOO_MANY_WAIT = new WaitResult(Kind.TOO_MANY_WAIT, 0);

    /** What becomes of the call. */
    public enum Kind {
        GRANTED,
        LOOK_AGAIN,
        NOTHING,
        TOO_MANY_WAIT
    }

    /** The call has what it needs. */
    public static WaitResult granted(long reading) {
        return new WaitResult(Kind.GRANTED, reading);
    }

    public boolean isGranted() {
        return kind == Kind.GRANTED;
    }

    /** What becomes of a call that is refused after this answer; {@code null} if it is worth going on. */
    public @Nullable Outcome refusal() {
        return switch (kind) {
            case NOTHING -> Outcome.REFUSED;
            case TOO_MANY_WAIT -> Outcome.REFUSED_BUSY;
            case GRANTED, LOOK_AGAIN -> null;
        };
    }
}
