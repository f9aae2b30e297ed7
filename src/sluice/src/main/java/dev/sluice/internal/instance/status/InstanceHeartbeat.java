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
 * Reports to the store that this instance is alive, which limits are in force, and which callers it refuses. It reports
 * at intervals, and immediately after the limits have changed. A failed report is harmless. Thread-safe.
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
    /** This class is not thread-safe, but only one report is created at a time. */
    private final RefusalStreaks streaks = new RefusalStreaks();

    /** The version of the overrides in force. */
    private volatile String version = "";

    private volatile ReportedFile file;
    /** The latest write to the store. Guarded by {@code this}. */
    private CompletionStage<Boolean> latest = CompletableFuture.completedFuture(true);
    /** Whether another write has to follow the latest one. Guarded by {@code this}. */
    private boolean isNextDue;

    /** The reported details of the file in force. The limits are omitted if they are too long. */
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
     * Creates a heartbeat. It does nothing until {@link #start()} is called.
     *
     * @param name the instance's name, unique among all instances that ever use the store
     * @param server the server's display name
     * @param clock the clock with which refusals in the last minute are counted
     * @param names the display names of callers
     * @param background the thread that reports at intervals; it never waits for the store
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

    /**
     * Counts only refusals, including those in a dry run. Does nothing for all other calls, in order to keep them fast.
     */
    @Override
    public void onDecision(Call call, Decision decision) {
        if (!decision.admitted() || decision.outcome() == Decision.Outcome.WOULD_REFUSE) {
            refused.onDecision(call, decision);
        }
    }

    /** Reports that the given file is in force. */
    public void follow(LimitsFile file) {
        this.file = ReportedFile.of(file);
        var unused = write();
    }

    /** Writes a new report, because reports include short client tables. */
    @Override
    public void onClientTable(String table, int clients) {
        follow(file.source);
    }

    /** Reports that the given overrides are in force. */
    public void follow(Overrides now) {
        version = now.version();
        var unused = write();
    }

    /**
     * Writes a report without waiting for the write to complete. Each write starts after the previous one has
     * completed, and reports the state at that time. The last write therefore reports the current state.
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

    /**
     * Removes the report. Waits for any write in flight to complete, because that write would otherwise restore the
     * report.
     */
    private synchronized CompletionStage<Boolean> leave() {
        isNextDue = true;
        latest = latest.handle((written, failure) -> true).thenCompose(ended -> instances.leave(name));
        return latest;
    }
}
