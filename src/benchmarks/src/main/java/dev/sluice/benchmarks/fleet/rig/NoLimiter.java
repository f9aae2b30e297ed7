package dev.sluice.benchmarks.fleet.rig;

/** A limiter that admits all calls. Its results show the overhead of the measurement itself. */
final class NoLimiter implements Instance {

    @Override
    public boolean admits(String caller) {
        return true;
    }

    @Override
    public void close() {}
}
