package dev.sluice.cli;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.RateLimitListener;
import dev.sluice.Subject;
import dev.sluice.text.Visible;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Tells of calls that passed only because of a dry run: at most one line for each endpoint and interval, with their
 * number and some of their callers. Safe for any threads.
 */
final class DryRunLog implements RateLimitListener, AutoCloseable {

    private static final long INTERVAL_SECONDS = 5;
    private static final int MOST_NAMED = 3;
    /** As much of a name as tells callers apart, with the ellipsis; the whole of a long one may be a secret. */
    private static final int LONGEST_NAME = 17;

    private final Consumer<String> log;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "dry-run-log");
        thread.setDaemon(true);
        return thread;
    });

    private volatile BooleanSupplier isToldElsewhere = () -> false;

    /** By endpoint, what has not been told yet; guarded by {@code this}. */
    private final Map<String, Refusals> untold = new TreeMap<>();

    /** Tells nothing by itself before {@link #start}. */
    DryRunLog(Consumer<String> log) {
        this.log = log;
    }

    /**
     * Tells at intervals from now on.
     *
     * @param elsewhere whether the log tells of dry runs by other lines at this moment; a reload may change it
     */
    DryRunLog start(BooleanSupplier elsewhere) {
        isToldElsewhere = elsewhere;
        var unused = timer.scheduleWithFixedDelay(this::tell, INTERVAL_SECONDS, INTERVAL_SECONDS, TimeUnit.SECONDS);
        return this;
    }

    @Override
    public void onDecision(Call call, Decision decision) {
        Endpoint endpoint = decision.endpoint();
        if (endpoint != null && decision.outcome() == Outcome.WOULD_REFUSE && !isToldElsewhere.getAsBoolean()) {
            note(endpoint.id(), decision.subjects());
        }
    }

    private synchronized void note(String endpoint, List<Subject> caller) {
        untold.computeIfAbsent(endpoint, first -> new Refusals()).add(caller);
    }

    /** Tells what has not been told yet. */
    synchronized void tell() {
        untold.forEach((endpoint, refusals) -> log.accept(refusals.line(endpoint)));
        untold.clear();
    }

    @Override
    public void close() {
        timer.shutdownNow();
        tell();
    }

    /** What would have been refused at one endpoint since the last line about it. */
    private static final class Refusals {

        private final Set<List<Subject>> callers = new LinkedHashSet<>();
        private long calls;
        private boolean others;

        private void add(List<Subject> caller) {
            calls++;
            if (callers.size() < MOST_NAMED) {
                callers.add(caller);
            } else if (!callers.contains(caller)) {
                others = true;
            }
        }

        private String line(String endpoint) {
            return "Dry run: " + endpoint + " would have refused " + calls + (calls == 1 ? " call" : " calls")
                    + " since the last line about it; from "
                    + callers.stream().map(Refusals::name).collect(Collectors.joining("; "))
                    + (others ? "; and others" : "");
        }

        private static String name(List<Subject> caller) {
            return caller.isEmpty()
                    ? "all callers together"
                    : caller.stream()
                            .map(subject -> subject.name() + " " + Visible.cut(subject.value(), LONGEST_NAME))
                            .collect(Collectors.joining(", "));
        }
    }
}
