package dev.sluice.cli;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.RateLimitListener;
import dev.sluice.cli.output.CountText;
import dev.sluice.internal.instance.status.LoggedCaller;
import dev.sluice.internal.thread.Poller;
import dev.sluice.traffic.CallerNames;
import dev.sluice.traffic.EndpointRefusals;
import dev.sluice.traffic.EndpointRefusals.OfCaller;
import dev.sluice.traffic.RefusalCounts;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Logs calls that passed only because of a dry run. It writes at most one line per endpoint and interval. The line
 * contains the number of calls and the names of some callers. Thread-safe.
 */
final class DryRunLog implements RateLimitListener, AutoCloseable {

    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final int MOST_NAMED = 3;

    private final Consumer<String> log;
    private final RefusalCounts counts = new RefusalCounts();
    private final Poller poller = new Poller("dry-run-log", INTERVAL, () -> INTERVAL, this::logCounts, this::complain);
    private volatile BooleanSupplier isLoggedElsewhere = () -> false;

    /** Creates a log that counts immediately, but writes nothing until {@link #start}. */
    DryRunLog(Consumer<String> log) {
        this.log = log;
    }

    /**
     * Starts to write to the log at intervals.
     *
     * @param elsewhere returns whether the limiter itself currently logs dry runs. A reload of the file can change that
     */
    void start(BooleanSupplier elsewhere) {
        isLoggedElsewhere = elsewhere;
        poller.start();
    }

    @Override
    public void onDecision(Call call, Decision decision) {
        if (decision.outcome() == Outcome.WOULD_REFUSE && !isLoggedElsewhere.getAsBoolean()) {
            counts.onDecision(call, decision);
        }
    }

    /** Logs the counts since the last report. */
    void logCounts() {
        counts.take().forEach(refusals -> log.accept(line(refusals)));
    }

    private void complain(Throwable thrown) {
        log.accept("Could not log dry runs; decisions are not affected, and logging continues: " + thrown);
    }

    private static String line(EndpointRefusals refusals) {
        return "Dry run: " + refusals.endpoint() + " would have refused "
                + CountText.of(refusals.wouldRefuse(), "call") + " since its last report; "
                + callers(refusals.callers());
    }

    private static String callers(List<OfCaller> callers) {
        return callers.stream().allMatch(caller -> caller.subjects().isEmpty())
                ? "all callers share the limit"
                : "callers: "
                        + callers.stream()
                                .limit(MOST_NAMED)
                                .map(caller -> LoggedCaller.of(caller.subjects(), CallerNames.NONE))
                                .collect(Collectors.joining("; "))
                        + (callers.size() > MOST_NAMED ? "; and others" : "");
    }

    @Override
    public void close() {
        // Without this, the calls since the last report would never be logged.
        poller.close();
        logCounts();
    }
}
