package dev.sluice.exchange;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import java.time.Duration;

/**
 * How long a store keeps things; the same in all stores.
 *
 * @param grace how long a counter is kept after its use, for a report that is under way when its window ends
 * @param answer how long the answer to a batch is kept, in case the batch is sent again
 * @param sequence how long it is known after that which batch of an instance was applied last
 */
public record TimeToLive(Duration grace, Duration answer, Duration sequence) {

    public static final TimeToLive USUAL =
            new TimeToLive(Duration.ofSeconds(2), Duration.ofSeconds(60), Duration.ofDays(1));

    /** How far a sender's idea of the store's clock may be ahead of it. */
    private static final Duration CLOCK_ERROR = Duration.ofSeconds(10);

    /** Whether a batch may have been applied at this time or before. */
    public static boolean mayBeAppliedBy(Batch batch, long millis) {
        return batch.madeMillis() - CLOCK_ERROR.toMillis() <= millis;
    }

    /** When a counter expires that is stated now; buckets live until they are full. */
    public long of(Statement statement, long nowMillis) {
        return Math.max(usefulUntil(statement, nowMillis), nowMillis) + grace.toMillis();
    }

    /** Whether a report of this counter arrives too late to matter. Never without windows. */
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

    /** The end of the window, or of the last frame in which it still counts. */
    private static long endOfUse(CounterKey key, Rule rule) {
        int later = rule instanceof Rule.Frame frame ? frame.frames() : 0;
        return key.end() + later * (key.end() - key.start());
    }
}
