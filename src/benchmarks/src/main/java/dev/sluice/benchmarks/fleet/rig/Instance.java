package dev.sluice.benchmarks.fleet.rig;

/**
 * One instance of a service, as far as limiting is concerned: it has its own connection and its own memory.
 * Thread-safe.
 */
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
