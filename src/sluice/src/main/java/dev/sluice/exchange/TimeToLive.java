package dev.sluice.exchange;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Reply;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import java.time.Duration;

/**
 * How long a store keeps its data. All stores keep it equally long. Immutable and thread-safe.
 *
 * @param grace how long a counter is kept after its use, for a report that is in flight when its window ends
 * @param answer how long the answer to a batch is kept, in case the batch is retried
 * @param sequence how long after that the store remembers the last batch of an instance
 */
public record TimeToLive(Duration grace, Duration answer, Duration sequence) {

    /** The values of all stores, except in tests. */
    public static final TimeToLive USUAL =
            new TimeToLive(Duration.ofSeconds(2), Duration.ofSeconds(60), Duration.ofDays(1));

    /** How far a sender's estimate of the store's clock may be ahead of it. */
    private static final Duration CLOCK_ERROR = Duration.ofSeconds(10);

    /** Whether the batch may have been applied at this time or before. */
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
     * Whether nothing of a statement's grant can be used any more. This is so if the store has dropped its answer to
     * the batch and only knows the part that was used at once. It is also so if the lease is over and there are no
     * windows. In a window, the grant counts as used after the lease, so it can still be used.
     */
    public boolean isGrantOver(Statement statement, Reply reply) {
        return ageMillis(reply) >= answer.toMillis() || (isLeaseOver(statement, reply) && !hasWindow(statement.rule()));
    }

    /** Whether the lease of a statement was over when the store repeated its answer. */
    public boolean isLeaseOver(Statement statement, Reply reply) {
        return ageMillis(reply) >= statement.leaseMillis();
    }

    private static long ageMillis(Reply reply) {
        return reply.nowMillis() - reply.appliedMillis();
    }

    /** Whether a report about this counter comes too late to matter. Never true without windows. */
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

    /** The end of the window, or of the last frame whose limit it still affects. */
    private static long endOfUse(CounterKey key, Rule rule) {
        int later = rule instanceof Rule.Frame frame ? frame.frames() : 0;
        return key.end() + later * (key.end() - key.start());
    }
}
