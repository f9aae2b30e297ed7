package dev.sluice.limiter.account;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Rule;

/** Until when it is of use to report what was used of a counter. */
public final class ReportDeadline {

    /** How long after a window, and the frames that weigh it in, a report may still come. */
    private static final long LATE_REPORTS_MILLIS = 2_000;

    private ReportDeadline() {}

    /** Whether nobody is helped by a report any more. A counter without windows has no deadline. */
    public static boolean hasPassed(CounterKey key, Rule rule, long nowMillis) {
        long end = key.end();
        if (rule instanceof Rule.Frame frame) {
            end += frame.frames() * (end - key.start());
        } else if (!(rule instanceof Rule.Total)) {
            return false;
        }
        return nowMillis > end + LATE_REPORTS_MILLIS;
    }
}
