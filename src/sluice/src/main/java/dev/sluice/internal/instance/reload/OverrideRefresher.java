package dev.sluice.internal.instance.reload;

import dev.sluice.RateLimitListener;
import dev.sluice.internal.config.value.Durations;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.thread.Poller;
import dev.sluice.internal.thread.TaskThread;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Checks at intervals whether the overrides in a source have changed, and puts changes into force. Logs failures of the
 * source. While the source fails, overrides change only by expiring at the time in their notes. Not thread-safe: once
 * started, a refresher is only used on the thread of its {@link Poller}.
 */
public final class OverrideRefresher implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);
    /**
     * For how long the source is polled more often after an override has expired. This is necessary because the source
     * might remove the override slightly late.
     */
    private static final long LATE_MILLIS = 1000;
    /** The maximum number of causes that are logged during one outage. */
    private static final int MOST_LOGGED = 4;

    private final Logger log;
    private final ClientOverrideSource source;
    private final Supplier<Duration> interval;
    private final Function<Overrides, List<ClientOverride>> inForce;
    private final Function<ClientOverride, @Nullable String> names;
    private final BooleanSupplier isUnavailableLogged;
    private final RateLimitListener listener;
    private final LongSupplier nanos;
    private final Poller poller;
    private Overrides known = new Overrides("", List.of());
    private long knownSinceNanos;
    private List<ClientOverride> used = List.of();
    /** The causes logged in the current outage; empty while the source is available. */
    private final Set<String> logged = new HashSet<>();

    /**
     * Creates a refresher. It does nothing until {@link #start()} is called.
     *
     * @param interval the pause between a reply and the next request
     * @param inForce receives all overrides whenever they change, and returns the usable ones
     * @param names the display names of clients, for the log
     * @param isUnavailableLogged whether the overrides are in the store and the log already states that the store is
     *     unavailable
     * @param listener receives all changes except those in the first reply
     * @param background the thread that polls the source; it is allowed to wait for the source and for loggers
     */
    public OverrideRefresher(
            Logger log,
            ClientOverrideSource source,
            Supplier<Duration> interval,
            Function<Overrides, List<ClientOverride>> inForce,
            Function<ClientOverride, @Nullable String> names,
            BooleanSupplier isUnavailableLogged,
            RateLimitListener listener,
            TaskThread background) {
        this(log, source, interval, inForce, names, isUnavailableLogged, listener, background, System::nanoTime);
    }

    OverrideRefresher(
            Logger log,
            ClientOverrideSource source,
            Supplier<Duration> interval,
            Function<Overrides, List<ClientOverride>> inForce,
            Function<ClientOverride, @Nullable String> names,
            BooleanSupplier isUnavailableLogged,
            RateLimitListener listener,
            TaskThread background,
            LongSupplier nanos) {
        this.log = log;
        this.source = source;
        this.interval = interval;
        this.inForce = inForce;
        this.names = names;
        this.isUnavailableLogged = isUnavailableLogged;
        this.listener = listener;
        this.nanos = nanos;
        this.poller = new Poller(background, Duration.ZERO, this::pause, this::ask, this::reportFailure);
    }

    public OverrideRefresher start() {
        poller.start();
        return this;
    }

    /** Polls the source once. */
    void poll() {
        poller.poll();
    }

    /** The pause before the next poll, which is the interval, or less if an override expires sooner. */
    Duration pause() {
        Duration usual = interval.get();
        long now = nowMillis();
        return known.limits().stream()
                .mapToLong(known::untilMillis)
                .filter(until -> until > now - LATE_MILLIS && until != 0)
                .min()
                .stream()
                .mapToObj(until -> Duration.ofMillis(Math.max(SHORTEST_PAUSE.toMillis(), until - now)))
                .filter(left -> left.compareTo(usual) < 0)
                .findFirst()
                .orElse(usual);
    }

    /** The current time by the source's clock, estimated from its last reply. */
    private long nowMillis() {
        return known.nowMillis() + TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - knownSinceNanos);
    }

    private void ask() throws Exception {
        Optional<Overrides> changed;
        try {
            changed = source.changedSince(known.version())
                    .toCompletableFuture()
                    .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (Exception unavailable) {
            dropExpired();
            throw unavailable;
        }
        changed.ifPresent(this::take);
        if (!logged.isEmpty()) {
            logged.clear();
            log.info("Client overrides can be read again and are in force");
        }
    }

    private void dropExpired() {
        long now = nowMillis();
        List<ClientOverride> left = known.limits().stream()
                .filter(limit -> known.untilMillis(limit) == 0 || known.untilMillis(limit) > now)
                .toList();
        if (left.size() < known.limits().size()) {
            take(new Overrides(known.version(), left, known.notes(), now));
        }
    }

    private void take(Overrides next) {
        if (next.limits().size() > ClientOverrideSource.MOST) {
            throw new IllegalStateException("there are " + next.limits().size() + " limits, but at most "
                    + ClientOverrideSource.MOST + " are allowed");
        }
        List<ClientOverride> now = inForce.apply(next);
        boolean isFirst = known.version().isEmpty();
        known = next;
        knownSinceNanos = nanos.getAsLong();
        OverrideChanges changes = new OverrideChanges(used, now, next.notes(), names);
        used = now;
        if (!isFirst && !changes.all().isEmpty()) {
            log.info(
                    "Client overrides have changed and are in force: {}. There {} now",
                    changes.text(),
                    used.size() == 1 ? "is 1" : "are " + used.size());
            changes.all().forEach(listener::onOverrideChange);
        }
    }

    private void reportFailure(Throwable thrown) {
        String reason = isUnavailableLogged.getAsBoolean() ? "" : reason(thrown);
        boolean isLogged = reason.isEmpty() ? !logged.isEmpty() : logged.contains(reason);
        if (poller.isClosed() || isLogged || logged.size() >= MOST_LOGGED) {
            return;
        }
        logged.add(reason);
        if (reason.isEmpty()) {
            log.info("Client overrides cannot be read while the store is unavailable. The last known overrides "
                    + "stay in force until they expire; an instance that has just started has none");
            return;
        }
        log.warn(
                "Client overrides cannot be read. The last known overrides stay in force until they expire. Sluice "
                        + "tries again every {}. Cause: {}",
                Durations.shortest(interval.get()),
                reason);
    }

    private static String reason(Throwable thrown) {
        boolean wrapped = thrown instanceof ExecutionException || thrown instanceof CompletionException;
        Throwable cause = wrapped && thrown.getCause() != null ? thrown.getCause() : thrown;
        return cause instanceof TimeoutException
                ? "no answer in " + Durations.shortest(PATIENCE)
                : Quote.message(cause);
    }

    @Override
    public void close() {
        poller.close();
        try {
            source.close();
        } catch (RuntimeException e) {
            log.warn("Could not close the source of client overrides", e);
        }
    }
}
