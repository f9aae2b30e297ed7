package dev.sluice.limiter.exchange;

/** Drives the background: calls its {@code step}, on one thread at a time. */
public interface LoopDriver {

    /** For virtual time: the code that advances the clock calls {@code step}. */
    LoopDriver NONE = new LoopDriver() {
        @Override
        public void wake() {}

        @Override
        public void stop() {}
    };

    /** Requests a step soon; from any thread. */
    void wake();

    /** Stops, and waits for a step under way, for a limited time. */
    void stop();

    /** Whether a step may still be under way on another thread after {@link #stop}. */
    default boolean isStepping() {
        return false;
    }
}
