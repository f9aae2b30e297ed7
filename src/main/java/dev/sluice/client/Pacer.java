package dev.sluice.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Spreads calls over the time until a limit is full again, once half of it is used up, so that they are not refused in
 * the first place. Safe for any threads.
 */
final class Pacer {

    /** Clients that all wait for the same reset spread over this part of it. */
    private static final int SPREAD_PART = 10;

    private static final Duration LONGEST = Duration.ofDays(1);

    private final RandomGenerator random;
    private long nextNanos;
    private long gapNanos;

    /** Nothing is known yet, so nothing waits. */
    Pacer(RandomGenerator random, long nowNanos) {
        this.random = random;
        this.nextNanos = nowNanos;
    }

    /**
     * Takes the next turn; how long it is away. One that is further away than the caller would wait is not taken: the
     * call is made at once, and the service says what it thinks of it.
     */
    synchronized long nanosUntilTurn(long nowNanos, long mostNanos) {
        long turn = Math.max(0, nextNanos - nowNanos);
        if (turn > mostNanos) {
            return 0;
        }
        nextNanos = nowNanos + turn + gapNanos;
        return turn;
    }

    /** An answer has told what is left. */
    synchronized void learn(RateLimitHeaders told, long nowNanos) {
        Duration refusedFor = told.refusedFor();
        if (refusedFor != null) {
            long refused = nanos(refusedFor);
            long later = refused + random.nextLong(refused / SPREAD_PART + 1);
            nextNanos = Math.max(nextNanos - nowNanos, later) + nowNanos;
        }
        if (!told.quotas().isEmpty()) {
            gapNanos = told.quotas().stream().mapToLong(Pacer::gap).max().orElse(0);
        }
    }

    /** How far calls are apart that use the rest of a limit evenly; 0 until half of it is used. */
    private static long gap(RateLimitHeaders.Quota quota) {
        boolean isPlenty = quota.limit() > 0 && quota.remaining() > quota.limit() / 2;
        return isPlenty || quota.remaining() == 0 ? 0 : nanos(quota.reset()) / quota.remaining();
    }

    private static long nanos(Duration told) {
        return told.compareTo(LONGEST) < 0 ? told.toNanos() : LONGEST.toNanos();
    }
}
