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

    /** Takes the next turn; how long it is away. */
    synchronized long nanosUntilTurn(long nowNanos) {
        long turn = Math.max(0, nextNanos - nowNanos);
        nextNanos = nowNanos + turn + gapNanos;
        return turn;
    }

    /** An answer has told what is left. */
    synchronized void learn(RateLimitHeaders told, long nowNanos) {
        if (told.quotas().isEmpty()) {
            return;
        }
        long gap = 0;
        for (RateLimitHeaders.Quota quota : told.quotas()) {
            long reset = quota.reset().compareTo(LONGEST) < 0 ? quota.reset().toNanos() : LONGEST.toNanos();
            if (quota.remaining() == 0) {
                long later = reset + random.nextLong(reset / SPREAD_PART + 1);
                nextNanos = Math.max(nextNanos - nowNanos, later) + nowNanos;
            } else if (quota.limit() == 0 || quota.remaining() <= quota.limit() / 2) {
                gap = Math.max(gap, reset / quota.remaining());
            }
        }
        gapNanos = gap;
    }
}
