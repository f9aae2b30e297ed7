package dev.sluice;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A call of a method that was decided: waits for its turn, runs, and ends.
 *
 * <pre>{@code
 * limiter.decideOnAsync("report", call, executor)
 *         .thenApply(decision -> DecidedCall.run(decision, () -> reports.of(customerId)));
 * }</pre>
 */
public final class DecidedCall {

    private static final int OK = 200;
    private static final int FAULT = 500;
    private static final int UNAVAILABLE = 503;

    private final Decision decision;
    private final Ticket ticket;

    private DecidedCall(Decision decision, Ticket ticket) {
        this.decision = decision;
        this.ticket = ticket;
    }

    /**
     * Runs work if the call may proceed: waits for its turn on this thread if it has to, and reports its end. If the work
     * returns a {@link CompletionStage}, the call ends with that one. Only for calls that nobody else ends, so not for
     * requests.
     *
     * @throws RateLimitedException if the call may not proceed; then nothing has run
     * @throws E what the work throws
     */
    public static <T extends @Nullable Object, E extends Throwable> T run(Decision decision, LimitedWork<T, E> work)
            throws E {
        if (!decision.admitted()) {
            throw new RateLimitedException(decision);
        }
        Ticket ticket = decision.ticket();
        return ticket == null ? work.run() : new DecidedCall(decision, ticket).run(work);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it only hears of the end
    private <T extends @Nullable Object, E extends Throwable> T run(LimitedWork<T, E> work) throws E {
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
