package dev.sluice.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Paces calls to avoid refusals. Once half of a limit is used up, the pacer spreads further calls over the time until
 * all permits are available again. Thread-safe.
 */
final class Pacer {

    /** Clients that are waiting for the same reset spread their calls over this fraction of the wait. */
    private static final int SPREAD_PART = 10;

    private static final Duration LONGEST = Duration.ofDays(1);

    private final RandomGenerator random;
    private long nextNanos;
    private long gapNanos;

    /** Creates a pacer that does not know any limits yet. Until a response reports a limit, calls do not wait. */
    Pacer(RandomGenerator random, long nowNanos) {
        this.random = random;
        this.nextNanos = nowNanos;
    }

    /**
     * Reserves the next turn, and returns the time until that turn. If this time exceeds the maximum wait, reserves no
     * turn and returns 0. The call is then sent immediately, and the service decides whether to admit it.
     */
    synchronized long nanosUntilTurn(long nowNanos, long mostNanos) {
        long turn = Math.max(0, nextNanos - nowNanos);
        if (turn > mostNanos) {
            return 0;
        }
        nextNanos = nowNanos + turn + gapNanos;
        return turn;
    }

    /** Updates each limit's number of remaining calls from the response headers. */
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

    /**
     * Returns the gap between calls that spreads a limit's remaining calls evenly; 0 until half of the limit is used
     * up.
     */
    private static long gap(RateLimitHeaders.Quota quota) {
        boolean isPlenty = quota.limit() > 0 && quota.remaining() > quota.limit() / 2;
        return isPlenty || quota.remaining() == 0 ? 0 : nanos(quota.reset()) / quota.remaining();
    }

    private static long nanos(Duration duration) {
        return duration.compareTo(LONGEST) < 0 ? duration.toNanos() : LONGEST.toNanos();
    }
}
