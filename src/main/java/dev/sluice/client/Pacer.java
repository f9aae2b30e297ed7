package dev.sluice.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Spreads calls over the time until a limit is full again, once half of it is used up, so that they are not refused in
 * the first place. Safe for any threads.
 */
final class Pacer {

    /** Clients that wait for the same reset spread over this part of the wait. */
    private static final int SPREAD_PART = 10;

    private static final Duration LONGEST = Duration.ofDays(1);

    private final RandomGenerator random;
    private long nextNanos;
    private long gapNanos;

    /** Nothing is known of limits yet, so no call waits. */
    Pacer(RandomGenerator random, long nowNanos) {
        this.random = random;
        this.nextNanos = nowNanos;
    }

    /**
     * Takes the next turn, and returns the time until it. A turn later than the caller would wait is not taken: the
     * call is made at once, and the service decides.
     */
    synchronized long nanosUntilTurn(long nowNanos, long mostNanos) {
        long turn = Math.max(0, nextNanos - nowNanos);
        if (turn > mostNanos) {
            return 0;
        }
        nextNanos = nowNanos + turn + gapNanos;
        return turn;
    }

    /** Learns from the headers of an answer how much is left. */
    synchronized void learn(RateLimitHeaders headers, long nowNanos) {
        Duration refusedFor = headers.refusedFor();
        if (refusedFor != null) {
            long refused = nanos(refusedFor);
            long later = refused + random.nextLong(refused / SPREAD_PART + 1);
            nextNanos = Math.max(nextNanos - nowNanos, later) + nowNanos;
        }
        if (!headers.quotas().isEmpty()) {
            gapNanos = headers.quotas().stream().mapToLong(Pacer::gap).max().orElse(0);
        }
    }

    /** The time between calls that use the rest of a limit evenly; 0 until half of it is used. */
    private static long gap(RateLimitHeaders.Quota quota) {
        boolean isPlenty = quota.limit() > 0 && quota.remaining() > quota.limit() / 2;
        return isPlenty || quota.remaining() == 0 ? 0 : nanos(quota.reset()) / quota.remaining();
    }

    private static long nanos(Duration duration) {
        return duration.compareTo(LONGEST) < 0 ? duration.toNanos() : LONGEST.toNanos();
    }
}
