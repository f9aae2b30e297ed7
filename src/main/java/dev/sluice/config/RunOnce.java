package dev.sluice.config;

import java.util.concurrent.atomic.AtomicBoolean;

/** Runs an action the first time it is asked to, and never again. Safe for any threads. */
final class RunOnce implements Runnable {

    private final Runnable action;
    private final AtomicBoolean done = new AtomicBoolean();

    RunOnce(Runnable action) {
        this.action = action;
    }

    @Override
    public void run() {
        if (!done.get() && done.compareAndSet(false, true)) {
            action.run();
        }
    }
}
