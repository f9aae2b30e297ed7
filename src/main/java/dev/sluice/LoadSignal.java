package dev.sluice;

/** The load of this instance. Any thread may ask, for each call over a threshold, so the answer must be immediate. */
@FunctionalInterface
public interface LoadSignal {

    /** From 0 (idle) to 1 (as busy as it should ever be). */
    double load();
}
