package dev.sluice.benchmarks.fleet.rig;

/** Admits everything: its results are the overhead of measuring. */
final class NoLimiter implements Instance {

    @Override
    public boolean admits(String caller) {
        return true;
    }

    @Override
    public void close() {}
}
