package dev.sluice.servlet;

/** A container that serves one application on a free port of the loopback interface, until it is closed. */
interface WebServer extends AutoCloseable {

    int port();

    @Override
    void close();

    /** Starts a container of one make. */
    @FunctionalInterface
    interface Make {
        /** Fails if the application does not start, with the reason among the causes. */
        WebServer start(Application application) throws Exception;
    }
}
