package dev.sluice;

/**
 * Represents an admitted call while it is in flight. A decision has a ticket if the call holds a slot of a {@code
 * concurrency} limit, if the response determines whether the call counts, if the call is queued, or if its cost is
 * known only later. Always report the end of such a call:
 *
 * <pre>{@code
 * try {
 *     status = serve(request);
 * } finally {
 *     ticket.ended(status);
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public interface Ticket extends Reservation {

    /** How long the call is queued before it can proceed; usually 0. */
    long delayMillis();

    /**
     * Blocks the current thread until the call's turn.
     *
     * @return {@code false} if too many calls are already queued on threads. In this case, the call has returned its
     *     permits and must not proceed
     * @throws InterruptedException if the current thread is interrupted. In this case, the call has returned its
     *     permits
     */
    default boolean awaitTurn() throws InterruptedException {
        Thread.sleep(delayMillis());
        return true;
    }

    /**
     * Reports whether the login of a call has failed, before the call ends. If it has failed, limits on failed logins
     * count it. Otherwise, the call immediately returns the permits that it took from these limits. If the failure has
     * already been reported as the end of an attempt, it does not count again.
     */
    default void loginEnded(boolean failed) {}

    /**
     * The status of a call whose caller disconnected before it received a response. If the status determines whether
     * calls count, a call with this status counts.
     */
    int UNANSWERED = 0;

    /**
     * Reports the end of the call. Only the first report has an effect.
     *
     * @param status the status of the response, or {@link #UNANSWERED}
     */
    void ended(int status);
}
