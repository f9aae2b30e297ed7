package dev.sluice.benchmarks.fleet.rig;

/** Admits everything: what is measured of it is the measuring. */
final class NoLimiter implements Instance {

    @Override
    public boolean admits(String caller) {
        return true;
    }

    @Override
    public void close() {}
}
