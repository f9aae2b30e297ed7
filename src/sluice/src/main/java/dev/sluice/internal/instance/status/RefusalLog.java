package dev.sluice.internal.instance.status;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.RateLimitListener;
import dev.sluice.internal.config.value.Durations;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.thread.Poller;
import dev.sluice.traffic.CallerNames;
import dev.sluice.traffic.EndpointRefusals;
import dev.sluice.traffic.EndpointRefusals.OfCaller;
import dev.sluice.traffic.RefusalCounts;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs refused callers if the file specifies {@code log.refusals}. Writes at most one line per endpoint and interval,
 * regardless of the number of calls. Thread-safe.
 */
public final class RefusalLog implements RateLimitListener, AutoCloseable {

    private static final int MOST_NAMED = 5;

    private final Logger log;
    private final CallerNames names;
    private final Supplier<Duration> interval;
    /** {@code null} unless the file specifies {@code log.refusals}. Written only under the lock of {@code this}. */
    private volatile @Nullable RefusalCounts counts;
    /** {@code null} unless the file specifies {@code log.refusals}. Guarded by {@code this}. */
    private @Nullable Poller poller;

    /** The time span that the next lines cover. Guarded by {@code this}. */
    private Duration covered = Duration.ZERO;

    private boolean closed;

    /**
     * Creates a log that writes nothing until {@link #follow} is called.
     *
     * @param interval the time between lines, according to the file in force; zero if refusals are not logged
     * @param names the display names of callers
     */
    public RefusalLog(Logger log, Supplier<Duration> interval, CallerNames names) {
        this.log = log;
        this.names = names;
        this.interval = interval;
    }

    /**
     * Applies the interval specified in the file in force. If the interval has changed, first logs the refusals so far.
     */
    public synchronized void follow() {
        Duration now = closed ? Duration.ZERO : interval.get();
        if (now.equals(covered)) {
            return;
        }
        if (poller != null) {
            poller.close();
            write();
        }
        covered = now;
        if (now.isZero()) {
            counts = null;
            poller = null;
        } else {
            counts = counts == null ? new RefusalCounts() : counts;
            poller = new Poller("sluice-refusals", now, () -> now, this::write, this::reportFailure);
            poller.start();
        }
    }

    @Override
    public void onReload(List<Endpoint> endpoints) {
        follow();
    }

    @Override
    public void onDecision(Call call, Decision decision) {
        RefusalCounts now = counts;
        if (now != null) {
            now.onDecision(call, decision);
        }
    }

    /** Logs the refusals since the last write. */
    synchronized void write() {
        String within = Durations.shortest(covered);
        List<EndpointRefusals> taken = counts == null ? List.of() : counts.take();
        for (EndpointRefusals refusals : taken) {
            log.info("{}", line(refusals, within));
        }
    }

    private void reportFailure(Throwable thrown) {
        log.warn("Could not log refusals; decisions are not affected. Logging continues at the next interval", thrown);
    }

    private String line(EndpointRefusals refusals, String within) {
        String refused = refusals.refused() == 0 ? "" : " refused " + calls(refusals.refused());
        String wouldRefuse = refusals.wouldRefuse() == 0
                ? ""
                : " would have refused " + calls(refusals.wouldRefuse()) + " (dry run)";
        String and = refused.isEmpty() || wouldRefuse.isEmpty() ? "" : " and";
        return Quote.plain(refusals.endpoint()) + refused + and + wouldRefuse + " within the last " + within + ": "
                + callers(refusals);
    }

    private static String calls(long number) {
        return number + (number == 1 ? " call" : " calls");
    }

    private String callers(EndpointRefusals refusals) {
        List<OfCaller> named = refusals.callers().stream().limit(MOST_NAMED).toList();
        long others = refusals.refused()
                + refusals.wouldRefuse()
                - named.stream().mapToLong(OfCaller::calls).sum();
        return named.stream().map(this::caller).collect(Collectors.joining("; "))
                + (others == 0 ? "" : "; " + others + " of other callers");
    }

    private String caller(OfCaller caller) {
        String tier = "tier " + Quote.plain(caller.tier());
        return caller.subjects().isEmpty()
                ? caller.calls() + " by " + tier + ", which all callers share"
                : caller.calls() + " of " + LoggedCaller.of(caller.subjects(), names) + " by " + tier;
    }

    /** Logs the remaining refusals, and stops logging. */
    @Override
    public synchronized void close() {
        closed = true;
        follow();
    }
}
