package dev.sluice;

/** How busy this instance is. Asked for calls beyond a threshold, by any thread, so it answers at once. */
@FunctionalInterface
public interface LoadSignal {

    /** From 0, idle, to 1, as busy as it should get. */
    double load();
}
