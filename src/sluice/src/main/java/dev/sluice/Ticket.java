package dev.sluice;

/**
 * Represents an admitted call while it is in flight. A decision has a ticket if the call holds a slot of a {@code
 * concurrency} limit, if its response determines whether it counts, if it is queued, or if its cost is known only
 * later. Always report the end of such a call:
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

    /** The time that the call is queued before it may proceed; usually 0. */
    long delayMillis();

    /**
     * Blocks this thread until the call's turn.
     *
     * @return {@code false} if too many calls are already queued on threads. In this case, the call has returned its
     *     permits and must not proceed
     * @throws InterruptedException if this thread is interrupted. In this case, the call has returned its permits
     */
    default boolean awaitTurn() throws InterruptedException {
        Thread.sleep(delayMillis());
        return true;
    }

    /**
     * Reports whether the call's login failed, before the call ends. A failed login counts under limits on failed
     * logins. After any other login, the call immediately returns the permits that it took from these limits. If the
     * end of an attempt has already reported the failure, the failure does not count again.
     */
    default void loginEnded(boolean failed) {}

    /**
     * The status of a call whose caller disconnected before the response. If the status determines whether calls count,
     * such a call counts.
     */
    int UNANSWERED = 0;

    /**
     * Reports the end of the call. Only the first report has an effect.
     *
     * @param status the status of the response, or {@link #UNANSWERED}
     */
    void ended(int status);
}
