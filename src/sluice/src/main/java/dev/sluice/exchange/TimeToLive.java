package dev.sluice.exchange;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Reply;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import java.time.Duration;

/**
 * The retention times of a store. They are the same for all stores. Immutable and thread-safe.
 *
 * @param grace how long a counter is kept after it is no longer needed, for reports that are in flight when its window
 *     ends
 * @param answer how long the reply to a batch is kept, in case the batch is retried
 * @param sequence how long the store then still remembers the last batch of an instance
 */
public record TimeToLive(Duration grace, Duration answer, Duration sequence) {

    /** The values for all stores, except in tests. */
    public static final TimeToLive USUAL =
            new TimeToLive(Duration.ofSeconds(2), Duration.ofSeconds(60), Duration.ofDays(1));

    /** How far a sender's estimate of the store's clock may be ahead of that clock. */
    private static final Duration CLOCK_ERROR = Duration.ofSeconds(10);

    /** Whether the batch may have been applied at or before this time. */
    public static boolean mayHaveBeenAppliedBy(Batch batch, long millis) {
        return batch.madeMillis() - CLOCK_ERROR.toMillis() <= millis;
    }

    /**
     * When a counter expires if this statement arrives now, in milliseconds since 1970. Buckets live until they are
     * full.
     */
    public long of(Statement statement, long nowMillis) {
        return Math.max(usefulUntil(statement, nowMillis), nowMillis) + grace.toMillis();
    }

    /**
     * Whether a statement's grant can no longer be used. This is the case if the store has dropped its reply to the
     * batch and only knows the part that was used at once. It is also the case if the lease is over and the rule has no
     * windows. In a window, the grant counts as used after the lease, so it can still be used.
     */
    public boolean isGrantOver(Statement statement, Reply reply) {
        return ageMillis(reply) >= answer.toMillis() || (isLeaseOver(statement, reply) && !hasWindow(statement.rule()));
    }

    /** Whether a statement's lease was over when the store repeated its reply. */
    public boolean isLeaseOver(Statement statement, Reply reply) {
        return ageMillis(reply) >= statement.leaseMillis();
    }

    private static long ageMillis(Reply reply) {
        return reply.nowMillis() - reply.appliedMillis();
    }

    /**
     * Whether a report about this counter arrives too late to matter. This is never the case if the rule has no
     * windows.
     */
    public boolean isTooLate(CounterKey key, Rule rule, long nowMillis) {
        return hasWindow(rule) && nowMillis > endOfUse(key, rule) + grace.toMillis();
    }

    private static long usefulUntil(Statement statement, long nowMillis) {
        if (hasWindow(statement.rule())) {
            return endOfUse(statement.key(), statement.rule());
        }
        return nowMillis + (statement.rule() instanceof Rule.Log log ? log.periodMillis() : statement.leaseMillis());
    }

    private static boolean hasWindow(Rule rule) {
        return rule instanceof Rule.Total || rule instanceof Rule.Frame;
    }

    /** The end of the window, or of the last frame whose limit this frame still affects. */
    private static long endOfUse(CounterKey key, Rule rule) {
        int later = rule instanceof Rule.Frame frame ? frame.frames() : 0;
        return key.end() + later * (key.end() - key.start());
    }
}
