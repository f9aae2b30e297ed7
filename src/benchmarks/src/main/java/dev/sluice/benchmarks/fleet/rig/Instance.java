package dev.sluice.benchmarks.fleet.rig;

/** The limiter of one service instance, with its own connection and its own memory. Thread-safe. */
public interface Instance extends AutoCloseable {

    /** Whether a call of this caller may pass. */
    boolean admits(String caller);

    /** How many calls have waited for the store so far; 0 if the limiter does not count them. */
    default long waits() {
        return 0;
    }

    @Override
    void close();
}
