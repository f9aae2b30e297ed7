package dev.sluice.config.status;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.RateLimitListener;
import dev.sluice.config.file.LimitsFile;
import dev.sluice.config.poll.Poller;
import dev.sluice.config.report.ReportedLimits;
import dev.sluice.config.report.ReportedRefusals;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import dev.sluice.store.operated.InstanceReport;
import dev.sluice.store.operated.Instances;
import dev.sluice.traffic.Traffic;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Tells the store that this instance lives and what it goes by, again and again, and at once when that has changed.
 * While the store is away nothing is written, which does no harm. Safe for any threads.
 */
public final class InstanceHeartbeat implements AutoCloseable {

    private static final Duration INTERVAL = Instances.LIFE.dividedBy(4);
    private static final int MOST_REFUSED = 20;
    private static final Duration LONGEST_FAREWELL = Duration.ofMillis(500);

    private final Instances instances;
    private final String name;
    private final String server;
    private final Poller poller;
    private final Traffic refused;
    /** One report at a time is made. */
    private final RefusalStreaks streaks = new RefusalStreaks();

    private volatile String version = "";
    private volatile Told told;
    /** The one that began last; guarded by {@code this}. */
    private CompletionStage<Boolean> latest = CompletableFuture.completedFuture(true);
    /** Whether another begins once that one has ended; guarded by {@code this}. */
    private boolean isNextDue;

    /** What it goes by, as it is told. */
    private record Told(String definitions, String digest, Duration refresh) {

        static Told of(LimitsFile file) {
            ReportedLimits limits = ReportedLimits.of(file.name(), file.limits());
            return limits.text().length() > Instances.LONGEST_DEFINITIONS
                    ? new Told("", "", file.refresh())
                    : new Told(limits.text(), limits.digest(), file.refresh());
        }
    }

    /**
     * Knows what to tell; {@link #start()} begins.
     *
     * @param name tells this instance apart from all others on the store, for ever
     * @param server its name for people
     * @param clock tells which refusals are of the last minute
     */
    public InstanceHeartbeat(Instances instances, String name, String server, LimitsFile file, InstantSource clock) {
        this.refused = new Traffic(clock);
        this.instances = instances;
        this.name = name;
        this.server = server;
        this.told = Told.of(file);
        this.poller = new Poller("sluice-presence", Duration.ZERO, () -> INTERVAL, this::tell, failure -> {});
    }

    public void start() {
        poller.start();
    }

    /** Is to hear of all decisions, and counts those who are refused: whom, only instances know. */
    public RateLimitListener refusals() {
        return new Refusals(refused);
    }

    /** Passes on refusals alone, also those of dry runs, so that other calls take no longer. */
    private record Refusals(Traffic counted) implements RateLimitListener {

        @Override
        public void onDecision(Call call, Decision decision) {
            if (!decision.admitted() || decision.outcome() == Decision.Outcome.WOULD_REFUSE) {
                counted.onDecision(call, decision);
            }
        }
    }

    /** Another file is in force. */
    public void follow(LimitsFile file) {
        told = Told.of(file);
        var unused = write();
    }

    /** These limits of clients that are kept outside the file are in force. */
    public void follow(Overrides kept) {
        version = kept.version();
        var unused = write();
    }

    private void tell() throws Exception {
        var unused = write().toCompletableFuture().get(INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * One at a time, so that what is told last is what holds: another begins when the one under way has ended, and tells
     * what holds then. Waits for nothing.
     */
    private synchronized CompletionStage<Boolean> write() {
        if (!isNextDue) {
            isNextDue = true;
            latest = latest.handle((told, failure) -> true).thenCompose(ended -> begin());
        }
        return latest;
    }

    private CompletionStage<Boolean> begin() {
        Told now;
        String goesBy;
        synchronized (this) {
            isNextDue = false;
            now = told;
            goesBy = version;
        }
        String refusals = ReportedRefusals.of(streaks.of(refused.report().mostRefused(MOST_REFUSED)))
                .text();
        return instances
                .write(
                        new InstanceReport(name, server, goesBy, now.refresh.toMillis(), now.digest, refusals),
                        now.definitions)
                .toCompletableFuture()
                .orTimeout(INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        poller.close();
        try {
            var unused = leave().toCompletableFuture()
                    .completeOnTimeout(false, LONGEST_FAREWELL.toMillis(), TimeUnit.MILLISECONDS)
                    .exceptionally(away -> false)
                    .join();
        } finally {
            instances.close();
        }
    }

    /** After what is told at this moment, which would bring it back. */
    private synchronized CompletionStage<Boolean> leave() {
        isNextDue = true;
        latest = latest.handle((told, failure) -> true).thenCompose(ended -> instances.leave(name));
        return latest;
    }
}
