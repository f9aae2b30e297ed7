package dev.sluice.internal.match.caller;

import java.util.concurrent.ThreadLocalRandom;

/** Chooses the calls for a slow check: each of the first thousand, and then a few at random. Thread-safe. */
public final class SampledCalls {

    private static final int ALL_OF_FIRST = 1_000;

    private final int thenOneIn;

    /**
     * Written without synchronisation, because an inexact number does no harm. After the first calls it is no longer
     * written, so that threads on several cores can share its cache line.
     */
    private int seen;

    /** Chooses the first thousand calls, then one in every {@code thenOneIn}. */
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
