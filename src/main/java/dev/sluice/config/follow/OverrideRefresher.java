package dev.sluice.config.follow;

import dev.sluice.config.poll.Poller;
import dev.sluice.config.shape.Durations;
import dev.sluice.config.yaml.Quote;
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
import org.slf4j.Logger;

/**
 * Asks a source at intervals whether limits of clients have changed, and puts them in force; a source that is away
 * changes nothing but the log, and limits that end by themselves do so. All but the start and the end happens on the
 * thread of its {@link Poller}.
 */
public final class OverrideRefresher implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** The source may say a little later than expected that a limit has ended; nobody waits for one that never does. */
    private static final Duration SHORTEST = Duration.ofMillis(50);

    private static final long LATE_MILLIS = 1000;
    /** Of one outage. */
    private static final int MOST_TOLD = 4;

    private final Logger log;
    private final ClientOverrideSource source;
    private final Supplier<Duration> interval;
    private final Function<Overrides, List<ClientOverride>> inForce;
    private final BooleanSupplier isToldAway;
    private final LongSupplier nanos;
    private final Poller poller;
    private Overrides known = new Overrides("", List.of());
    private long knownSinceNanos;
    private List<ClientOverride> used = List.of();
    /** Why the limits cannot be read, as the log has said already; empty while they can. */
    private final Set<String> told = new HashSet<>();

    /**
     * Knows what to ask; {@link #start()} begins.
     *
     * @param interval from one answer to the next question
     * @param inForce is given all limits whenever they have changed, and tells which of them make sense
     * @param isToldAway whether the log says already that the place is away where the limits are kept
     */
    public OverrideRefresher(
            Logger log,
            ClientOverrideSource source,
            Supplier<Duration> interval,
            Function<Overrides, List<ClientOverride>> inForce,
            BooleanSupplier isToldAway) {
        this(log, source, interval, inForce, isToldAway, System::nanoTime);
    }

    OverrideRefresher(
            Logger log,
            ClientOverrideSource source,
            Supplier<Duration> interval,
            Function<Overrides, List<ClientOverride>> inForce,
            BooleanSupplier isToldAway,
            LongSupplier nanos) {
        this.log = log;
        this.source = source;
        this.interval = interval;
        this.inForce = inForce;
        this.isToldAway = isToldAway;
        this.nanos = nanos;
        this.poller = new Poller("sluice-limits", Duration.ZERO, this::pause, this::ask, this::complain);
    }

    public OverrideRefresher start() {
        poller.start();
        return this;
    }

    /** Asks once. */
    void look() {
        poller.look();
    }

    /** The interval, or less if a limit ends before. */
    Duration pause() {
        Duration usual = interval.get();
        long now = nowMillis();
        return known.limits().stream()
                .mapToLong(known::untilMillis)
                .filter(until -> until > now - LATE_MILLIS && until != 0)
                .min()
                .stream()
                .mapToObj(until -> Duration.ofMillis(Math.max(SHORTEST.toMillis(), until - now)))
                .filter(left -> left.compareTo(usual) < 0)
                .findFirst()
                .orElse(usual);
    }

    /** By the clock of the source, which is not asked. */
    private long nowMillis() {
        return known.nowMillis() + TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - knownSinceNanos);
    }

    private void ask() throws Exception {
        Optional<Overrides> changed;
        try {
            changed = source.changedSince(known.version())
                    .toCompletableFuture()
                    .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (Exception away) {
            dropExpired();
            throw away;
        }
        changed.ifPresent(this::take);
        if (!told.isEmpty()) {
            told.clear();
            log.info("The limits of clients that are kept outside the file can be read again, and are in force");
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

    private void take(Overrides kept) {
        if (kept.limits().size() > ClientOverrideSource.MOST) {
            throw new IllegalStateException("there are " + kept.limits().size() + " limits, but at most "
                    + ClientOverrideSource.MOST + " are allowed");
        }
        List<ClientOverride> now = inForce.apply(kept);
        boolean isFirst = known.version().isEmpty();
        known = kept;
        knownSinceNanos = nanos.getAsLong();
        String changes = new OverrideChanges(used, now).text();
        used = now;
        if (!isFirst && !changes.isEmpty()) {
            log.info(
                    "Limits of clients that are kept outside the file have changed and are in force: {}. There {} now",
                    changes,
                    used.size() == 1 ? "is 1" : "are " + used.size());
        }
    }

    private void complain(Throwable thrown) {
        String reason = isToldAway.getAsBoolean() ? "" : reason(thrown);
        boolean isTold = reason.isEmpty() ? !told.isEmpty() : told.contains(reason);
        if (poller.isClosed() || isTold || told.size() >= MOST_TOLD) {
            return;
        }
        told.add(reason);
        if (reason.isEmpty()) {
            log.info(
                    "The limits of clients that are kept in the store cannot be read while it is away. Those read last stay "
                            + "in force until they end; at the start there are none");
            return;
        }
        log.warn(
                "The limits of clients that are kept outside the file cannot be read. Those read last stay in force until "
                        + "they end. They are asked for again every {}. The cause: {}",
                Durations.shortest(interval.get()),
                reason);
    }

    private static String reason(Throwable thrown) {
        boolean wrapped = thrown instanceof ExecutionException || thrown instanceof CompletionException;
        Throwable cause = wrapped && thrown.getCause() != null ? thrown.getCause() : thrown;
        return cause instanceof TimeoutException
                ? "no answer in " + Durations.shortest(PATIENCE)
                : Quote.line(String.valueOf(cause.getMessage() == null ? cause : cause.getMessage()));
    }

    @Override
    public void close() {
        poller.close();
        try {
            source.close();
        } catch (RuntimeException e) {
            log.warn("The source of limits of clients could not be closed", e);
        }
    }
}
