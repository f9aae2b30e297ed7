package dev.sluice.limiter.exchange;

/** Drives the background: calls its {@code step}, on one thread at a time. */
public interface LoopDriver {

    /** For virtual time: the code that advances the clock calls {@code step}. */
    LoopDriver NONE = new LoopDriver() {
        @Override
        public void wake() {}

        @Override
        public boolean stop() {
            return true;
        }
    };

    /** Requests a step soon; from any thread. */
    void wake();

    /** Stops, and waits for a step under way, for a limited time; returns whether none is under way any more. */
    boolean stop();
}
