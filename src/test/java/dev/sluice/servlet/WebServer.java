package dev.sluice.servlet;

/** A container that serves one application on a free port of the loopback interface, until it is closed. */
interface WebServer extends AutoCloseable {

    int port();

    /** Waits until a caller who goes away will be noticed: at once, unless a container says otherwise. */
    default void awaitReturn(Thread began) {}

    @Override
    void close();

    /** Starts a container of one make. */
    @FunctionalInterface
    interface Make {
        /** Fails if the application does not start, with the reason among the causes. */
        WebServer start(Application application) throws Exception;
    }
}
