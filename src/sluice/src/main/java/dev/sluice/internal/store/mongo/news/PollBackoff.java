package dev.sluice.internal.store.mongo.news;

import java.time.Duration;

/**
 * Determines the pauses between polls if the server does not push news. The pauses are shortest while news is likely,
 * longer while this instance holds permits that other instances could need, and longest otherwise. Thread-safe.
 */
final class PollBackoff {

    static final Duration SELDOM = Duration.ofMillis(500);
    static final Duration OFTEN = Duration.ofMillis(10);

    /**
     * How long other instances are assumed to need the permits that an exchange has granted to this instance.
     */
    private static final long HOLDING_NANOS = Duration.ofSeconds(2).toNanos();

    private static final long[] EXPECTING_NANOS = {1_000_000, 2_000_000, 5_000_000};

    private long holdsUntilNanos;
    private int expecting = EXPECTING_NANOS.length;

    PollBackoff(long nowNanos) {
        this.holdsUntilNanos = nowNanos;
    }

    /** Records that this instance holds permits. Returns whether it held no permits before. */
    synchronized boolean holds(long nowNanos) {
        boolean begins = !isHolding(nowNanos);
        holdsUntilNanos = nowNanos + HOLDING_NANOS;
        return begins;
    }

    /** Records that news is likely, because calls are waiting for permits that other instances hold. */
    synchronized void expects(long nowNanos) {
        expecting = 0;
        boolean unused = holds(nowNanos);
    }

    /** The pause until the next poll. */
    synchronized Duration next(long nowNanos) {
        if (expecting < EXPECTING_NANOS.length) {
            return Duration.ofNanos(EXPECTING_NANOS[expecting++]);
        }
        return isHolding(nowNanos) ? OFTEN : SELDOM;
    }

    private boolean isHolding(long nowNanos) {
        return holdsUntilNanos - nowNanos > 0;
    }
}
