package dev.sluice.limiter.exchange;

/** Drives the background: calls its {@code step}, on one thread at a time. */
public interface LoopDriver {

    /** None is needed: whoever moves the clock calls it. */
    LoopDriver NONE = new LoopDriver() {
        @Override
        public void wake() {}

        @Override
        public void stop() {}
    };

    /** Calls it soon; from any thread. */
    void wake();

    /** Calls it no more, and waits for a step that is under way, for a limited time. */
    void stop();

    /** Whether a step may be under way on another thread, although this was stopped. */
    default boolean isStepping() {
        return false;
    }
}
