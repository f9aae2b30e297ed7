package dev.sluice.limiter.exchange;

import dev.sluice.SharingOptions.OnFailure;
import org.slf4j.Logger;

/**
 * Says in the log that the store is away, what that means, and when it is back: once each. An absence of a moment, such as a connection that has
 * to be made again, is worth no line. For one thread.
 */
final class OutageLog {

    private static final long MOMENT_NANOS = 500_000_000;

    /** Delays of a moment are told no more often than this. */
    private static final long AGAIN_NANOS = 10_000_000_000L;

    private final Logger log;
    private boolean present = true;
    private boolean told;
    private boolean toldOfDebts;
    private long sinceNanos;
    private long toldNanos = System.nanoTime() - AGAIN_NANOS;

    OutageLog(Logger log) {
        this.log = log;
    }

    /** An exchange has failed, again. */
    void goesOn(String reason, OnFailure policy, long nowNanos) {
        sinceNanos = present ? nowNanos : sinceNanos;
        present = false;
        if (nowNanos - sinceNanos >= MOMENT_NANOS) {
            tell(reason, policy, nowNanos);
        }
    }

    /** Calls have waited for the store as long as they may, and are decided without it. */
    void delaysCalls(OnFailure policy, long nowNanos) {
        if (nowNanos - toldNanos >= AGAIN_NANOS) {
            tell("it did not answer before sync.timeout while calls waited", policy, nowNanos);
        }
    }

    private void tell(String reason, OnFailure policy, long nowNanos) {
        if (!told) {
            told = true;
            toldNanos = nowNanos;
            log.warn("The store is away ({}); {}", reason, meaning(policy));
        }
    }

    /** So many counters that were driven out of memory, and owed the store what they had admitted, are forgotten. */
    void writesOff(int debts) {
        if (debts > 0 && !toldOfDebts) {
            toldOfDebts = true;
            log.warn(
                    "More counters were driven out of memory than can be remembered until the store is back (maximumCounters); "
                            + "what the least of them admitted will not be reported, and their callers may have it once more");
        }
    }

    /** The store has answered. */
    void isOver() {
        if (told) {
            log.info(
                    "The store is back; instances count together again, and what was admitted meanwhile is being reported");
        }
        present = true;
        told = false;
        toldOfDebts = false;
    }

    private static String meaning(OnFailure policy) {
        return switch (policy) {
            case LOCAL -> "each instance counts for itself until it is back, so up to the threshold may pass on each";
            case ALLOW -> "every call passes until it is back";
            case DENY -> "calls beyond the shares in hand are refused until it is back";
        };
    }
}
