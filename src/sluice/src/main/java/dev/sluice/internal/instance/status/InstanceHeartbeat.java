package dev.sluice.internal.instance.status;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.RateLimitListener;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.instance.report.ReportedLimits;
import dev.sluice.internal.instance.report.ReportedRefusals;
import dev.sluice.internal.store.admin.InstanceReport;
import dev.sluice.internal.store.admin.Instances;
import dev.sluice.internal.thread.Poller;
import dev.sluice.internal.thread.TaskThread;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import dev.sluice.traffic.CallerNames;
import dev.sluice.traffic.Traffic;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Reports to the store that this instance is alive, which limits are in force here, and which callers it refuses. It
 * does so at intervals, and at once when limits change. A failed report does no harm. Thread-safe.
 */
public final class InstanceHeartbeat implements RateLimitListener, AutoCloseable {

    private static final Duration INTERVAL = Instances.LIFE.dividedBy(4);
    private static final int MOST_REFUSED = 20;
    private static final Duration LONGEST_LEAVING = Duration.ofMillis(500);

    private final Instances instances;
    private final String name;
    private final String server;
    private final Poller poller;
    private final Traffic refused;
    /** Not thread-safe, but only one report at a time is made. */
    private final RefusalStreaks streaks = new RefusalStreaks();

    /** The version of the overrides in force. */
    private volatile String version = "";

    private volatile ReportedFile file;
    /** The latest write. Guarded by {@code this}. */
    private CompletionStage<Boolean> latest = CompletableFuture.completedFuture(true);
    /** Whether another write follows the latest one. Guarded by {@code this}. */
    private boolean isNextDue;

    /** The file in force, as reports show it. If its limits are too long, the report leaves them out. */
    private record ReportedFile(LimitsFile source, String limits, String digest, Duration refresh) {

        private static ReportedFile of(LimitsFile file) {
            ReportedLimits limits = ReportedLimits.of(file.name(), file.limits());
            return limits.text().length() > Instances.LONGEST_LIMITS
                    ? new ReportedFile(file, "", "", file.intervals().refresh())
                    : new ReportedFile(
                            file,
                            limits.text(),
                            limits.digest(),
                            file.intervals().refresh());
        }
    }

    /**
     * Does nothing before {@link #start()}.
     *
     * @param name the unique name of this instance, which no other one on this store ever uses
     * @param server its display name
     * @param clock the clock for counting the refusals of the last minute
     * @param names display names of callers
     * @param background the thread that reports at intervals; it does not wait for the store
     */
    public InstanceHeartbeat(
            Instances instances,
            String name,
            String server,
            LimitsFile file,
            InstantSource clock,
            CallerNames names,
            TaskThread background) {
        this.refused = new Traffic(clock, names);
        this.instances = instances;
        this.name = name;
        this.server = server;
        this.file = ReportedFile.of(file);
        this.poller = new Poller(background, Duration.ZERO, () -> INTERVAL, this::write, failure -> {});
    }

    public void start() {
        poller.start();
    }

    /** Counts only refusals, including those of dry runs. Other calls return at once, so that they stay fast. */
    @Override
    public void onDecision(Call call, Decision decision) {
        if (!decision.admitted() || decision.outcome() == Decision.Outcome.WOULD_REFUSE) {
            refused.onDecision(call, decision);
        }
    }

    /** Reports that this file is in force. */
    public void follow(LimitsFile file) {
        this.file = ReportedFile.of(file);
        var unused = write();
    }

    /** Reports again, since a report includes a short table of clients. */
    @Override
    public void onClientTable(String table, int clients) {
        follow(file.source);
    }

    /** Reports that these overrides are in force. */
    public void follow(Overrides now) {
        version = now.version();
        var unused = write();
    }

    /**
     * Writes a report without waiting for it. Each write starts after the previous one and reports the state at its
     * start, so that the last write is current.
     */
    private synchronized CompletionStage<Boolean> write() {
        if (!isNextDue) {
            isNextDue = true;
            latest = latest.handle((written, failure) -> true).thenCompose(ended -> begin());
        }
        return latest;
    }

    private CompletionStage<Boolean> begin() {
        ReportedFile now;
        String overrides;
        synchronized (this) {
            isNextDue = false;
            now = file;
            overrides = version;
        }
        String refusals = ReportedRefusals.of(streaks.of(refused.report().mostRefused(MOST_REFUSED)))
                .text();
        return instances
                .write(
                        new InstanceReport(name, server, overrides, now.refresh.toMillis(), now.digest, refusals),
                        now.limits)
                .toCompletableFuture()
                .orTimeout(INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        poller.close();
        try {
            var unused = leave().toCompletableFuture()
                    .completeOnTimeout(false, LONGEST_LEAVING.toMillis(), TimeUnit.MILLISECONDS)
                    .exceptionally(unavailable -> false)
                    .join();
        } finally {
            instances.close();
        }
    }

    /** Removes the report once the write in flight has ended; otherwise that write would restore it. */
    private synchronized CompletionStage<Boolean> leave() {
        isNextDue = true;
        latest = latest.handle((written, failure) -> true).thenCompose(ended -> instances.leave(name));
        return latest;
    }
}
