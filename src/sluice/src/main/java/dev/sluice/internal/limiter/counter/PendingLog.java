package dev.sluice.internal.limiter.counter;

import dev.sluice.CounterKey;
import dev.sluice.Decision.Outcome;
import dev.sluice.internal.limiter.counter.PendingCall.Reason;
import dev.sluice.internal.text.EnumWord;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs which calls waited or awaited outcomes, and how long: one line each at DEBUG. Thread-safe. */
public final class PendingLog {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.pending");

    private PendingLog() {}

    /** Notes that a call which was pending was decided. An exception of the logger has no effect. */
    public static void wasPending(Shortage lacking, Reason reason, long nanos, Outcome outcome, long nowMillis) {
        try {
            if (LOG.isDebugEnabled()) {
                LOG.debug("{}", line(keyOf(lacking.pool(), nowMillis), lacking.need(), reason, millis(nanos), outcome));
            }
        } catch (RuntimeException | Error e) {
            return; // the logger itself failed; there is nowhere to report that
        }
    }

    /** The key of a pool's counter. */
    public static CounterKey keyOf(Pool pool, long nowMillis) {
        return pool.family().keyAt(pool.subjects(), pool instanceof Window window ? window.start() : nowMillis);
    }

    /**
     * The log line.
     *
     * @param took how long the call was pending, in words
     */
    public static String line(CounterKey key, long need, Reason reason, String took, Outcome outcome) {
        boolean awaited = reason == Reason.OUTCOMES;
        return "A call " + (awaited ? "awaited outcomes for " : "waited ") + took + (awaited ? ", lacking " : " for ")
                + need + (need == 1 ? " permit: " : " permits: ") + EnumWord.of(outcome) + "; " + key.text();
    }

    /** For example {@code 1.2 ms}. */
    public static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }
}
