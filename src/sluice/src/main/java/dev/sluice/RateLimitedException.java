package dev.sluice;

import java.io.Serial;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A method call was refused, and its work has not run; or an attempt to log in was refused, and no password was
 * compared. {@link #decision()} says why, and when to retry. It has no stack trace, because a refusal is not a bug, and
 * must cost little even if a caller retries all the time.
 */
public final class RateLimitedException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient @Nullable Decision decision;

    public RateLimitedException(Decision decision) {
        super(message(decision), null, false, false);
        this.decision = decision;
    }

    /**
     * Why the call was refused, and when to retry.
     *
     * @throws NullPointerException if this exception was deserialized: serialization drops the decision
     */
    public Decision decision() {
        return Objects.requireNonNull(decision);
    }

    private static String message(Decision decision) {
        Endpoint endpoint = decision.endpoint();
        String by = endpoint == null || decision.tier() == null
                ? ""
                : " by " + endpoint.id() + ", tier " + decision.tier().name();
        String why = decision.outcome() == Decision.Outcome.REFUSED_BUSY
                ? "Too many calls are already pending"
                : "Refused" + by;
        if (decision.neverPasses()) {
            return why + ": the call costs " + decision.cost() + ", more than the limit ever allows at once";
        }
        return why + "; try again in " + decision.retryAfterSeconds() + " s";
    }
}
