package dev.sluice.limiter.exchange;

/** Drives the background: calls its {@code step}, on one thread at a time. */
public interface Driver {

    /** None is needed: whoever moves the clock calls it. */
    Driver NONE = new Driver() {
        @Override
        public void wake() {}

        @Override
        public void stop() {}
    };

    /** Calls it soon; from any thread. */
    void wake();

    /** Calls it no more. */
    void stop();
}
