package dev.sluice.internal.servlet.contract;

/** A container that serves one application on a free port of the loopback interface, until it is closed. */
public interface WebServer extends AutoCloseable {

    int port();

    /** Waits until the container can notice a caller who disconnects; by default returns at once. */
    default void awaitReturn(Thread began) {}

    /** Waits until a thread of a pool has finished its task. */
    static void awaitEndOfTask(Thread thread) {
        while (thread != Thread.currentThread()
                && (thread.getState() == Thread.State.RUNNABLE || thread.getState() == Thread.State.BLOCKED)) {
            Thread.onSpinWait();
        }
    }

    @Override
    void close();

    /** Starts one kind of container. */
    @FunctionalInterface
    interface Make {
        /** Fails if the application does not start, with the reason among the causes. */
        WebServer start(Application application) throws Exception;
    }
}
