package dev.sluice.limiter.exchange;

import dev.sluice.RateLimitListener;
import dev.sluice.limits.SharingOptions;
import dev.sluice.limits.SharingOptions.OnFailure;
import java.time.Duration;
import org.slf4j.Logger;

/**
 * Says in the log, and to the listener, that the store is away, what that means for limits, and when it is back: once each. An absence of a
 * moment, such as a connection that has to be made again, is worth no line, unless it is at the start. For one thread.
 */
final class OutageLog {

    private static final long MOMENT_NANOS = 500_000_000;

    /** Delays of a moment are told no more often than this. */
    private static final long AGAIN_NANOS = 10_000_000_000L;

    private static final String NEXT = "The store is asked again until it answers; the log will say that it is back.";

    private static final String SLOW =
            " If the store and the network are well, there are two usual causes: this machine is "
                    + "short of processor time, or sync.timeout (%d ms) is shorter than the store takes to answer.";

    private final Logger log;
    private final RateLimitListener listener;
    private String reason = "it has not answered";
    private boolean present = true;
    private boolean told;
    private boolean toldOfDebts;
    private long sinceNanos;
    private long toldNanos;
    private long lostNanos;
    private boolean everTold;

    OutageLog(Logger log, RateLimitListener listener) {
        this.log = log;
        this.listener = listener;
    }

    /** The limiter has asked the store for the first time, and starts without its answer. */
    void startsAway(SharingOptions options, long nowNanos) {
        sinceNanos = present ? nowNanos : sinceNanos;
        present = false;
        noteTold(nowNanos);
        log.warn("The store is away at the start ({}). {} {}", reason, meaning(options.onFailure()), NEXT);
        listener.onStoreAway(reason);
    }

    /** An exchange has failed, again. */
    void goesOn(String cause, SharingOptions options, long nowNanos) {
        reason = cause;
        sinceNanos = present ? nowNanos : sinceNanos;
        present = false;
        if (nowNanos - sinceNanos >= MOMENT_NANOS) {
            tell(options, nowNanos);
        }
    }

    /** Calls have waited for the store as long as they may, and are decided without it. */
    void delaysCalls(SharingOptions options, long nowNanos) {
        if (!everTold || nowNanos - toldNanos >= AGAIN_NANOS) {
            reason = "it did not answer within sync.timeout while calls waited";
            tell(options, nowNanos);
        }
    }

    private void tell(SharingOptions options, long nowNanos) {
        if (told) {
            return;
        }
        noteTold(nowNanos);
        boolean slow = reason.contains("did not answer"); // rather than having refused a connection or a command
        String causes = slow ? SLOW.formatted(options.timeout().toMillis()) : "";
        log.warn("The store is away ({}). {} {}{}", reason, meaning(options.onFailure()), NEXT, causes);
        listener.onStoreAway(reason);
    }

    private void noteTold(long nowNanos) {
        told = true;
        everTold = true;
        toldNanos = nowNanos;
        lostNanos = present ? nowNanos : sinceNanos;
    }

    /** So many counters that were driven out of memory, and owed the store what they had admitted, are forgotten. */
    void writesOff(int debts) {
        if (debts > 0 && !toldOfDebts) {
            toldOfDebts = true;
            log.warn(
                    "While the store is away, counts of counters that leave memory are kept for it, as many as maximumCounters "
                            + "says. There are more now. The smallest are forgotten, so their callers may have that part of "
                            + "their limits once more. A larger maximumCounters keeps more");
        }
    }

    /** The store has answered. */
    void ends(long nowNanos) {
        boolean wasTold = told;
        present = true;
        told = false;
        toldOfDebts = false;
        if (wasTold) {
            log.info(
                    "The store is back. Instances count together again, and report to it what they admitted meanwhile");
            listener.onStoreBack(Duration.ofNanos(nowNanos - lostNanos));
        }
    }

    private static String meaning(OnFailure policy) {
        return switch (policy) {
            case LOCAL -> "Until it answers, each instance counts for itself, so up to the threshold may pass on each.";
            case ALLOW -> "Until it answers, every call passes.";
            case DENY -> "Until it answers, calls are refused once the permits that this instance holds are used up.";
        };
    }
}
