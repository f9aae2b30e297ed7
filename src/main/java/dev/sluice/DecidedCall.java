package dev.sluice;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Runs work as a call of a method that was decided, and reports its end.
 *
 * <pre>{@code
 * limiter.decideOnAsync("report", call, executor)
 *         .thenApply(decision -> DecidedCall.run(decision, () -> reports.of(customerId)));
 * }</pre>
 */
public final class DecidedCall {

    private static final int OK = 200;
    private static final int FAULT = 500;

    private DecidedCall() {}

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
        Decision inTurn = decision.inTurn();
        if (!inTurn.admitted()) {
            throw new RateLimitedException(inTurn);
        }
        Ticket ticket = inTurn.ticket();
        return ticket == null ? work.run() : run(ticket, work);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it only hears of the end
    private static <T extends @Nullable Object, E extends Throwable> T run(Ticket ticket, LimitedWork<T, E> work)
            throws E {
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
}
