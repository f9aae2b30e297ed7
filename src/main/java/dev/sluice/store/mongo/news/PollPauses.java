package dev.sluice.store.mongo.news;

import java.time.Duration;

/**
 * How long to wait before news are asked for again, where the server does not push them: hardly at all when some are
 * likely to come now, longer while this instance holds permits that others may want, and long otherwise. Safe for many
 * threads.
 */
final class PollPauses {

    static final Duration SELDOM = Duration.ofMillis(500);
    static final Duration OFTEN = Duration.ofMillis(10);

    /** So long after an exchange that left permits here, others may want them. */
    private static final long HOLDING_NANOS = Duration.ofSeconds(2).toNanos();

    private static final long[] EXPECTING_NANOS = {1_000_000, 2_000_000, 5_000_000};

    private long holdsUntilNanos;
    private int expecting = EXPECTING_NANOS.length;

    PollPauses(long nowNanos) {
        this.holdsUntilNanos = nowNanos;
    }

    /** This instance holds permits; whether it did not before. */
    synchronized boolean holds(long nowNanos) {
        boolean begins = !isHolding(nowNanos);
        holdsUntilNanos = nowNanos + HOLDING_NANOS;
        return begins;
    }

    /** Calls of this instance wait for what others hold: news are likely to come. */
    synchronized void expects(long nowNanos) {
        expecting = 0;
        boolean unused = holds(nowNanos);
    }

    /** From now until the next question. */
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
