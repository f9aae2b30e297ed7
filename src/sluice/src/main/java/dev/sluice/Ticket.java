package dev.sluice;

/**
 * Stands for an admitted call while it is in flight. A decision has one if the limiter needs to know more about the
 * call, because it holds a slot of a {@code concurrency} limit, its response decides whether it counts, it is queued,
 * or its cost is known only later. Always report the end of such a call:
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

    /** How long the call is queued before it proceeds; usually 0. */
    long delayMillis();

    /**
     * Blocks this thread until the call's turn.
     *
     * @return {@code false} if too many calls are queued on threads already. Then the call must not proceed, and has
     *     returned its permits
     * @throws InterruptedException if this thread is interrupted; then the call has returned its permits
     */
    default boolean awaitTurn() throws InterruptedException {
        Thread.sleep(delayMillis());
        return true;
    }

    /**
     * Reports whether the call's login failed, before the call ends. Where failed logins are counted, a failed login
     * counts; after any other login, the call at once returns the permits that it took there. If the end of an attempt
     * has already reported the failure, it does not count again.
     */
    default void loginEnded(boolean failed) {}

    /**
     * The status of a call whose caller disconnected before the response. If the status decides whether a call counts,
     * such a call does.
     */
    int UNANSWERED = 0;

    /**
     * Reports the end of the call. Only the first report has an effect.
     *
     * @param status the status of the response, or {@link #UNANSWERED}
     */
    void ended(int status);
}
