package dev.sluice.internal.limiter.sync;

import dev.sluice.RateLimitListener;
import dev.sluice.limits.SharingOptions;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;

/**
 * Reports outages to the log and the listener. It reports that the store is unavailable, what this means for limits,
 * and that the store is answering again. Each outage is reported once, and again if the cause changes. Short outages,
 * such as reconnects, are reported only at start-up. Not thread-safe: only the synchroniser's thread uses it.
 */
final class OutageLog {

    /** The minimum length of an outage that is reported. */
    private static final long MOMENT_NANOS = 500_000_000;

    /** The minimum time between reports of short delays. */
    private static final long AGAIN_NANOS = 10_000_000_000L;

    private static final int MOST_CAUSES = 5;

    private static final String NEXT = "Sluice keeps trying, and logs when the store is back.";

    private static final String SLOW =
            " If the store and the network are healthy, the store sometimes takes longer than sync.timeout (%d ms) to "
                    + "answer. Raise sync.timeout to let calls wait longer.";

    private final Logger log;
    private final RateLimitListener listener;
    private String reason = "it has not answered";
    /** The causes that have already been logged for this outage; empty unless the outage was reported. */
    private final Set<String> named = new HashSet<>();

    private boolean present = true;
    private boolean reportedForgotten;
    private long sinceNanos;
    private long reportedNanos;
    private boolean everReported;

    OutageLog(Logger log, RateLimitListener listener) {
        this.log = log;
        this.listener = listener;
    }

    /** Reports that the store has not answered the first exchange and that the limiter starts without the store. */
    void startsUnavailable(SharingOptions options, long nowNanos) {
        setReported(nowNanos);
        log.warn("The store is unavailable at start-up ({}). {} {}", reason, meaning(options), NEXT);
        listener.onStoreUnavailable(reason);
    }

    void goesOn(String cause, SharingOptions options, long nowNanos) {
        reason = cause;
        sinceNanos = present ? nowNanos : sinceNanos;
        present = false;
        if (nowNanos - sinceNanos >= MOMENT_NANOS) {
            report(options, nowNanos);
            reportOtherCause(nowNanos);
        }
    }

    /**
     * Reports a new cause of the same outage. For example, Redis has restarted and now requires a different password.
     */
    private void reportOtherCause(long nowNanos) {
        boolean isSlow = isSlow(reason) && named.stream().anyMatch(OutageLog::isSlow);
        if (nowNanos - reportedNanos >= AGAIN_NANOS && !isSlow && named.size() < MOST_CAUSES && named.add(reason)) {
            reportedNanos = nowNanos;
            log.warn("The store is still unavailable, now for a different reason ({}). {}", reason, NEXT);
        }
    }

    /**
     * Reports that the store was unresponsive for the given time while calls were waiting. These calls are decided
     * without the store.
     */
    void delaysCalls(long unresponsiveNanos, SharingOptions options, long nowNanos) {
        if (!everReported || nowNanos - reportedNanos >= AGAIN_NANOS) {
            reason = "it did not answer for " + unresponsiveNanos / 1_000_000 + " ms while calls waited";
            report(options, nowNanos);
        }
    }

    private void report(SharingOptions options, long nowNanos) {
        if (!named.isEmpty()) {
            return;
        }
        setReported(nowNanos);
        String causes = isSlow(reason) ? SLOW.formatted(options.timeout().toMillis()) : "";
        log.warn("The store is unavailable ({}). {} {}{}", reason, meaning(options), NEXT, causes);
        listener.onStoreUnavailable(reason);
    }

    private void setReported(long nowNanos) {
        everReported = true;
        reportedNanos = nowNanos;
        sinceNanos = present ? nowNanos : sinceNanos;
        present = false;
        named.add(reason);
    }

    /** Whether the store is unresponsive, rather than rejecting connections or commands. */
    private static boolean isSlow(String reason) {
        return reason.contains("did not answer");
    }

    void writesOff(int counters) {
        if (counters > 0 && !reportedForgotten) {
            reportedForgotten = true;
            log.warn("While the store is unavailable, this instance retains the unreported counts of up to "
                    + "maximumCounters evicted counters. That number was exceeded, so the smallest counts were "
                    + "dropped. Their callers can use that part of their limits again. Raise maximumCounters "
                    + "to retain more counts");
        }
    }

    void ends(long nowNanos) {
        boolean wasReported = !named.isEmpty();
        present = true;
        reportedForgotten = false;
        named.clear();
        if (wasReported) {
            log.info("The store is back. Instances count together again, and report calls admitted without it");
            listener.onStoreBack(Duration.ofNanos(nowNanos - sinceNanos));
        }
    }

    private static String meaning(SharingOptions options) {
        return switch (options.onFailure()) {
            case SHARE ->
                options.instances() == 1
                        ? "Until it answers, this instance counts alone, because it knows of no other."
                        : "Until it answers, each of the %d instances admits its part of each limit's remaining calls."
                                .formatted(options.instances());
            case LOCAL -> "Until it answers, each instance counts alone, so each may admit up to the whole limit.";
            case ALLOW -> "Until it answers, every call passes.";
            case DENY -> "Until it answers, calls are refused once this instance has used up the permits it holds.";
        };
    }
}
