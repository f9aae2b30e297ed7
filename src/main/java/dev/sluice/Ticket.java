package dev.sluice;

/**
 * Belongs to an admitted call while it is under way, if the limiter needs later reports of it: it occupies a place of a
 * {@code concurrency} limit, its answer decides whether it counts, it waits for a turn, or its cost is known only later.
 * Thread-safe.
 */
public interface Ticket extends Reservation {

    /** The time to wait before the call proceeds, which spreads calls evenly; usually 0. */
    long delayMillis();

    /**
     * Waits for this time on the current thread. Returns {@code false} if too many threads wait already: then the call
     * must not proceed, and its caller should retry later. Then, and if the thread is interrupted, the call gives back
     * all that it took.
     */
    default boolean awaitTurn() throws InterruptedException {
        Thread.sleep(delayMillis());
        return true;
    }

    /**
     * Reports, before the call ends, whether its login failed. A failed login counts where failed logins are counted;
     * any other gives back at once what it reserved there.
     */
    default void loginEnded(boolean failed) {}

    /** The status of a call whose caller disconnected before the answer: it counts as if its status did. */
    int UNANSWERED = 0;

    /**
     * Reports the end of the call, with the status of its answer or {@link #UNANSWERED}. Only the first report has an
     * effect.
     */
    void ended(int status);
}
