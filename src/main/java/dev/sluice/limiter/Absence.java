package dev.sluice.limiter;

import dev.sluice.Together.OnFailure;
import org.slf4j.Logger;

/**
 * Says in the log that the store is away, what that means, and when it is back: once each. An absence of a moment, such as a connection that has
 * to be made again, is worth no line. For one thread.
 */
final class Absence {

    private static final long MOMENT_NANOS = 500_000_000;

    private final Logger log;
    private boolean present = true;
    private boolean told;
    private boolean toldOfDebts;
    private long sinceNanos;

    Absence(Logger log) {
        this.log = log;
    }

    /** The store has not answered, again. */
    void goesOn(Throwable reason, OnFailure policy, long nowNanos) {
        sinceNanos = present ? nowNanos : sinceNanos;
        present = false;
        if (!told && nowNanos - sinceNanos >= MOMENT_NANOS) {
            told = true;
            log.warn("The store is away ({}); {}", reason.getMessage(), meaning(policy));
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
