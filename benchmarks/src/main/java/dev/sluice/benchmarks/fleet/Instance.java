package dev.sluice.benchmarks.fleet;

/** One instance of a service, as far as limiting goes: it has its own connection and its own memory. Safe for many threads. */
interface Instance extends AutoCloseable {

    /** Whether a call of this tenant may pass. */
    boolean admits(String tenant);

    @Override
    void close();
}
