package dev.sluice;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A call of a method that was admitted: waits for its turn, runs, and ends. */
final class AdmittedCall {

    private static final int OK = 200;
    private static final int FAULT = 500;
    private static final int UNAVAILABLE = 503;

    private final Decision decision;
    private final Ticket ticket;

    AdmittedCall(Decision decision, Ticket ticket) {
        this.decision = decision;
        this.ticket = ticket;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it only hears of the end
    <T extends @Nullable Object, E extends Throwable> T run(LimitedWork<T, E> work) throws E {
        awaitTurn();
        boolean goesOn = false;
        int status = FAULT;
        try {
            T result = work.run();
            if (result instanceof CompletionStage<?> later) {
                later.whenComplete((value, fault) -> ticket.ended(fault == null ? OK : FAULT));
                goesOn = true;
            }
            status = OK;
            return result;
        } finally {
            if (!goesOn) {
                ticket.ended(status);
            }
        }
    }

    private void awaitTurn() {
        boolean hasCome = false;
        try {
            hasCome = ticket.awaitTurn();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (!hasCome) {
                ticket.ended(UNAVAILABLE);
            }
        }
        if (!hasCome) {
            throw new RateLimitedException(decision.withOutcome(Decision.Outcome.REFUSED_BUSY)
                    .withTicket(null)
                    .withRetryAfter(Math.max(1, ticket.delayMillis())));
        }
    }
}
