package dev.sluice.benchmarks.fleet.rig;

/** The limiter of one service instance, with a separate connection and separate memory. Thread-safe. */
public interface Instance extends AutoCloseable {

    /** Decides whether a call of the given caller passes. */
    boolean admits(String caller);

    /** The number of calls that have waited for the store so far; 0 if the limiter does not count them. */
    default long waits() {
        return 0;
    }

    @Override
    void close();
}
