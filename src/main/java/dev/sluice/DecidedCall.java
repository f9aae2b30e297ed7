package dev.sluice;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Runs the work of a method call that was decided, and reports to its ticket how it ended. Use it after
 * {@link RateLimiter#decideOnAsync}; {@link RateLimiter#run} does both steps.
 *
 * <pre>{@code
 * limiter.decideOnAsync("report", call, executor)
 *         .thenApply(decision -> DecidedCall.run(decision, () -> reports.of(customerId)));
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class DecidedCall {

    private static final int OK = 200;
    private static final int FAULT = 500;

    private DecidedCall() {}

    /**
     * Runs the work if the call is admitted; blocks this thread first if the call has to wait for its turn. If the work
     * returns a {@link CompletionStage}, the call ends when that stage completes. Not for requests: the filter ends
     * those.
     *
     * @throws RateLimitedException if the call is refused; the work has not run
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

    @SuppressWarnings("FutureReturnValueIgnored") // the new stage only reports the end
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
