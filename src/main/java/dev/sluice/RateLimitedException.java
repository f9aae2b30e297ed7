package dev.sluice;

import java.io.Serial;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The call of a method was refused, and nothing of it ran. It has no stack trace: a refusal is no fault, and a caller who goes
 * on should cost little.
 */
public final class RateLimitedException extends RuntimeException {

    private static final long MILLIS_A_SECOND = 1_000;

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient @Nullable Decision decision;

    public RateLimitedException(Decision decision) {
        super(message(decision), null, false, false);
        this.decision = decision;
    }

    /**
     * Why the call was refused, and when a retry passes.
     *
     * @throws NullPointerException if the exception has been serialized, which loses it
     */
    public Decision decision() {
        return Objects.requireNonNull(decision);
    }

    private static String message(Decision decision) {
        Endpoint endpoint = decision.endpoint();
        String by = endpoint == null || decision.tier() == null
                ? ""
                : " by " + endpoint.id() + ", tier " + decision.tier().name();
        String why =
                decision.outcome() == Decision.Outcome.REFUSED_BUSY ? "Too many calls wait already" : "Refused" + by;
        if (decision.neverPasses()) {
            return why + ": the call costs " + decision.cost() + ", more than ever passes at once";
        }
        long seconds = Math.max(1, -Math.floorDiv(-decision.retryAfterMillis(), MILLIS_A_SECOND));
        return why + "; a retry passes in " + seconds + " s";
    }
}
