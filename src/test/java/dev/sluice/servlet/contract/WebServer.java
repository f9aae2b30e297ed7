package dev.sluice.servlet.contract;

/** A container that serves one application on a free port of the loopback interface, until it is closed. */
public interface WebServer extends AutoCloseable {

    int port();

    /** Waits until a caller who goes away will be noticed: at once, unless a container says otherwise. */
    default void awaitReturn(Thread began) {}

    /** Waits until a thread of a pool has nothing to do, or no more than what waits for it. */
    static void awaitRest(Thread thread) {
        while (thread != Thread.currentThread()
                && (thread.getState() == Thread.State.RUNNABLE || thread.getState() == Thread.State.BLOCKED)) {
            Thread.onSpinWait();
        }
    }

    @Override
    void close();

    /** Starts a container of one make. */
    @FunctionalInterface
    interface Make {
        /** Fails if the application does not start, with the reason among the causes. */
        WebServer start(Application application) throws Exception;
    }
}
