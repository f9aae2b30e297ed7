package dev.sluice;

/**
 * What an admitted call carries while it is under way, where more is to be said of it later: a place among those under
 * way at once, a reservation that its answer may cancel, a turn to wait for, costs that are known only in the end. Safe
 * for any thread.
 */
public interface Ticket {

    /** How long the call has to wait before it goes on, so that calls go on at an even pace; mostly 0. */
    long delayMillis();

    /**
     * Waits so long on this thread. If the answer is no, so many threads wait that this one may not: the call must not
     * go on, and its caller is to be told to come again.
     */
    default boolean awaitTurn() throws InterruptedException {
        Thread.sleep(delayMillis());
        return true;
    }

    /**
     * Counts so much more, afterwards, where costs are charged by the application; whether anything is. May pass the
     * limit.
     */
    boolean charge(long amount);

    /**
     * It is known, before the call ends, whether it tried to log in and failed: then it counts where failed logins do.
     * If not, it gives back there what it has reserved, and need not end for that.
     */
    default void loginEnded(boolean failed) {}

    /** The status of a call whose caller went before it was answered: it counts as if its status did. */
    int UNANSWERED = 0;

    /**
     * The call has ended, with an answer of this status or as if with it, or {@link #UNANSWERED}. Only the first time
     * matters.
     */
    void ended(int status);
}
