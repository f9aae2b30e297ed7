package dev.sluice.algorithm;

import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Rule;
import java.time.Duration;

/**
 * How long things live in a store; the same in all of them.
 *
 * @param grace how long a counter outlives its use, for a report that is under way when its window ends
 * @param answer how long the answer to a batch is kept for a resend
 */
public record Expiry(Duration grace, Duration answer) {

    public static final Expiry USUAL = new Expiry(Duration.ofSeconds(2), Duration.ofSeconds(60));

    /**
     * When a counter that is claimed of now goes away, if nothing else happens to it; buckets live until they are full.
     */
    public long of(Claim claim, long nowMillis) {
        return Math.max(usefulUntil(claim, nowMillis), nowMillis) + grace.toMillis();
    }

    private static long usefulUntil(Claim claim, long nowMillis) {
        if (claim.rule() instanceof Rule.Total) {
            return claim.key().end();
        }
        if (claim.rule() instanceof Rule.Frame frame) {
            return claim.key().end()
                    + frame.frames() * (claim.key().end() - claim.key().start());
        }
        if (claim.rule() instanceof Rule.Logged logged) {
            return nowMillis + logged.periodMillis();
        }
        return nowMillis + claim.leaseMillis();
    }
}
