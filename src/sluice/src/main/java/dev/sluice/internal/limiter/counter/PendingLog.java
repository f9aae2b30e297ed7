package dev.sluice.internal.limiter.counter;

import dev.sluice.CounterKey;
import dev.sluice.Decision.Outcome;
import dev.sluice.internal.limiter.counter.PendingCall.Reason;
import dev.sluice.internal.text.EnumWord;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs which calls waited or awaited outcomes, and for how long. Writes one line per call at DEBUG level. Thread-safe.
 */
public final class PendingLog {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.pending");

    private PendingLog() {}

    /** Logs a pending call that has been decided. Exceptions from the logger are ignored. */
    public static void wasPending(Shortage lacking, Reason reason, long nanos, Outcome outcome, long nowMillis) {
        try {
            if (LOG.isDebugEnabled()) {
                LOG.debug("{}", line(keyOf(lacking.pool(), nowMillis), lacking.need(), reason, millis(nanos), outcome));
            }
        } catch (RuntimeException | Error e) {
            return; // the logger itself failed, so there is nowhere to report it
        }
    }

    /** Returns the key of a pool's counter. */
    public static CounterKey keyOf(Pool pool, long nowMillis) {
        return pool.family().keyAt(pool.subjects(), pool instanceof Window window ? window.start() : nowMillis);
    }

    /**
     * Returns the log line.
     *
     * @param took the formatted time for which the call was pending
     */
    public static String line(CounterKey key, long need, Reason reason, String took, Outcome outcome) {
        boolean awaited = reason == Reason.OUTCOMES;
        return "A call " + (awaited ? "awaited outcomes for " : "waited ") + took + (awaited ? ", lacking " : " for ")
                + need + (need == 1 ? " permit: " : " permits: ") + EnumWord.of(outcome) + "; " + key.text();
    }

    /** Formats a time, for example as {@code 1.2 ms}. */
    public static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }
}
