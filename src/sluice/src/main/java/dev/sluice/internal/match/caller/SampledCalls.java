package dev.sluice.internal.match.caller;

import java.util.concurrent.ThreadLocalRandom;

/** Selects calls for a slow check: all of the first thousand calls, and then a random sample. Thread-safe. */
public final class SampledCalls {

    private static final int ALL_OF_FIRST = 1_000;

    private final int thenOneIn;

    /**
     * The number of calls so far, counted only up to {@link #ALL_OF_FIRST}. It is updated without synchronisation,
     * because an inexact number is harmless. After the first calls, it is no longer written, so threads on several
     * cores can share its cache line.
     */
    private int seen;

    /** Creates an object that selects the first thousand calls, and then one in {@code thenOneIn} calls on average. */
    public SampledCalls(int thenOneIn) {
        this.thenOneIn = thenOneIn;
    }

    /** Whether to check the next call. */
    public boolean includesNext() {
        int before = seen;
        if (before < ALL_OF_FIRST) {
            seen = before + 1;
            return true;
        }
        return ThreadLocalRandom.current().nextInt(thenOneIn) == 0;
    }
}
