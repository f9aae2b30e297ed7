package dev.sluice.benchmarks.fleet;

/** Admits everything: what is measured of it is the measuring. */
final class NoLimiter implements Instance {

    @Override
    public boolean admits(String tenant) {
        return true;
    }

    @Override
    public void close() {}
}
