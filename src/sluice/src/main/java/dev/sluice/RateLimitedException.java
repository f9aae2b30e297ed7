package dev.sluice;

import java.io.Serial;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a method call was refused before its work ran, or if a login attempt was refused before a password was
 * compared. {@link #decision()} contains the reason and the time to wait before a retry. The exception has no stack
 * trace. A refusal is not a bug, and it must be cheap even if a caller keeps retrying.
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
     * The decision, with the reason for the refusal and the time to wait before a retry.
     *
     * @throws NullPointerException if this exception was deserialized, because serialization drops the decision
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
