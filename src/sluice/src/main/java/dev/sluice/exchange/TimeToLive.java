package dev.sluice.exchange;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Reply;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import java.time.Duration;

/**
 * How long a store retains counters, replies and batches. All stores use the same times. Immutable and thread-safe.
 *
 * @param grace how long the store retains a counter after it has ceased to affect its limit, for example after the end
 *     of its window, because reports can still be in flight
 * @param answer how long the store retains the reply to a batch, in case the batch is resent
 * @param sequence how long the store retains the sequence number of an instance's last batch after dropping the reply
 */
public record TimeToLive(Duration grace, Duration answer, Duration sequence) {

    /** The values for all stores, except in tests. */
    public static final TimeToLive USUAL =
            new TimeToLive(Duration.ofSeconds(2), Duration.ofSeconds(60), Duration.ofDays(1));

    /** The maximum lead of a sender's estimate of the store's clock over that clock. */
    private static final Duration CLOCK_ERROR = Duration.ofSeconds(10);

    /** Whether the batch might have been applied at or before the given time. */
    public static boolean mayHaveBeenAppliedBy(Batch batch, long millis) {
        return batch.madeMillis() - CLOCK_ERROR.toMillis() <= millis;
    }

    /**
     * The time at which a counter expires if the given statement arrives now, in milliseconds since 1970. A bucket
     * expires only after it is full again.
     */
    public long of(Statement statement, long nowMillis) {
        return Math.max(usefulUntil(statement, nowMillis), nowMillis) + grace.toMillis();
    }

    /**
     * Whether the grant for a statement can no longer be used. This is the case if the store has dropped its reply to
     * the batch and only remembers which permits counted as used immediately. It is also the case if the lease has
     * ended and the rule has no windows. In a window, the store counts the granted permits as used after the lease has
     * ended, so the instance can still use them.
     */
    public boolean isGrantOver(Statement statement, Reply reply) {
        return ageMillis(reply) >= answer.toMillis() || (isLeaseOver(statement, reply) && !hasWindow(statement.rule()));
    }

    /** Whether a statement's lease had ended by the time the store repeated its reply. */
    public boolean isLeaseOver(Statement statement, Reply reply) {
        return ageMillis(reply) >= statement.leaseMillis();
    }

    private static long ageMillis(Reply reply) {
        return reply.nowMillis() - reply.appliedMillis();
    }

    /**
     * Whether a report about a counter arrives too late to have an effect. This never happens if the rule has no
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

    /**
     * The time from which the counter no longer affects its limit. For a window, this is the end of the window; for a
     * frame, the end of the last frame whose limit it affects.
     */
    private static long endOfUse(CounterKey key, Rule rule) {
        int later = rule instanceof Rule.Frame frame ? frame.frames() : 0;
        return key.end() + later * (key.end() - key.start());
    }
}
