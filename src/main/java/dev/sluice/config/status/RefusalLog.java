package dev.sluice.config.status;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.RateLimitListener;
import dev.sluice.Subject;
import dev.sluice.config.poll.Poller;
import dev.sluice.config.shape.Durations;
import dev.sluice.config.yaml.Quote;
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
 * Says in the log who is refused: one line for each endpoint and interval, whatever callers send, as long as the file
 * asks for it. Safe for any threads.
 */
public final class RefusalLog implements RateLimitListener, AutoCloseable {

    /** Its lines have a logger of their own, so that they can be sent elsewhere. */
    public static final String LOGGER = "dev.sluice.refusals";

    private static final int MOST_NAMED = 5;
    private static final int LONGEST_NAME = 16;
    private static final String ADDRESS = "ip";

    private final Logger log;
    private final Supplier<Duration> interval;
    private final RefusalCounts counts = new RefusalCounts();
    private volatile boolean counting;
    /** Only while the file asks for it; guarded by {@code this}. */
    private @Nullable Poller poller;

    /** From one line to the next, as it was last. */
    private Duration lasting = Duration.ZERO;

    private boolean closed;

    /**
     * Says nothing before {@link #follow}.
     *
     * @param interval from one line to the next, as the file has it now; zero for none
     */
    public RefusalLog(Logger log, Supplier<Duration> interval) {
        this.log = log;
        this.interval = interval;
    }

    /** Begins, goes on or ends, as the file says now. */
    public synchronized void follow() {
        Duration now = closed ? Duration.ZERO : interval.get();
        counting = !now.isZero();
        lasting = counting ? now : lasting;
        Poller running = poller;
        if (counting && running == null) {
            poller = new Poller("sluice-refusals", now, interval, this::tell, this::complain);
            poller.start();
        } else if (!counting && running != null) {
            running.close();
            poller = null;
            tell();
        }
    }

    @Override
    public void onReload(List<Endpoint> endpoints) {
        follow();
    }

    @Override
    public void onDecision(Call call, Decision decision) {
        if (counting) {
            counts.onDecision(call, decision);
        }
    }

    /** Tells what has not been told yet. */
    synchronized void tell() {
        String within = Durations.shortest(lasting);
        for (EndpointRefusals refusals : counts.take()) {
            log.info("{}", line(refusals, within));
        }
    }

    private void complain(Throwable thrown) {
        log.warn("Who was refused could not be told. Calls are decided as before, and the next line follows", thrown);
    }

    private static String line(EndpointRefusals refusals, String within) {
        String refused = refusals.refused() == 0 ? "" : " has refused " + calls(refusals.refused());
        String wouldRefuse = refusals.wouldRefuse() == 0
                ? ""
                : " would have refused " + calls(refusals.wouldRefuse()) + " (dry run)";
        String and = refused.isEmpty() || wouldRefuse.isEmpty() ? "" : " and";
        return Quote.plain(refusals.endpoint()) + refused + and + wouldRefuse + " within " + within + ": "
                + callers(refusals);
    }

    private static String calls(long number) {
        return number + (number == 1 ? " call" : " calls");
    }

    private static String callers(EndpointRefusals refusals) {
        List<OfCaller> named = refusals.callers().stream().limit(MOST_NAMED).toList();
        long others = refusals.refused()
                + refusals.wouldRefuse()
                - named.stream().mapToLong(OfCaller::calls).sum();
        return named.stream()
                        .map(caller -> name(caller) + " " + caller.calls() + " by tier " + Quote.plain(caller.tier()))
                        .collect(Collectors.joining("; "))
                + (others == 0 ? "" : "; others " + others);
    }

    private static String name(OfCaller caller) {
        return caller.subjects().isEmpty()
                ? "all callers together"
                : caller.subjects().stream().map(RefusalLog::name).collect(Collectors.joining(", "));
    }

    /** As much of a name as tells callers apart; the whole of a long one may be a secret. No name looks like an address. */
    private static String name(Subject subject) {
        String value = subject.value();
        boolean isLong = value.codePointCount(0, value.length()) > LONGEST_NAME;
        String cut = isLong ? value.substring(0, value.offsetByCodePoints(0, LONGEST_NAME)) : value;
        String byAddress = subject.source().equals(ADDRESS) && !subject.name().equals(ADDRESS) ? " (by ip)" : "";
        return subject.name() + " " + Quote.plain(Quote.name(cut)) + (isLong ? "…" : "") + byAddress;
    }

    /** Tells the last, and ends. */
    @Override
    public synchronized void close() {
        closed = true;
        follow();
    }
}
