package dev.sluice.config.follow;

import dev.sluice.config.shape.Durations;
import dev.sluice.config.yaml.Quote;
import dev.sluice.limits.ClientOverrideSource;
import dev.sluice.limits.ClientOverrideSource.Kept;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * Asks a source at intervals whether limits of clients have changed, and puts them in force; a source that is away
 * changes nothing but the log. All but the start and the end happens on the thread of its {@link Poller}.
 */
public final class Refresh implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Logger log;
    private final ClientOverrideSource source;
    private final Supplier<Duration> interval;
    private final Consumer<Kept> inForce;
    private final BooleanSupplier isToldAway;
    private final Poller poller;
    private String version = "";
    private boolean away;

    /**
     * Knows what to ask; {@link #start()} begins.
     *
     * @param interval from one answer to the next question
     * @param inForce is given all limits whenever they have changed
     * @param isToldAway whether the log says already that the place is away where the limits are kept
     */
    public Refresh(
            Logger log,
            ClientOverrideSource source,
            Supplier<Duration> interval,
            Consumer<Kept> inForce,
            BooleanSupplier isToldAway) {
        this.log = log;
        this.source = source;
        this.interval = interval;
        this.inForce = inForce;
        this.isToldAway = isToldAway;
        this.poller = new Poller("sluice-limits", Duration.ZERO, interval, this::ask, this::complain);
    }

    public Refresh start() {
        poller.start();
        return this;
    }

    /** Asks once. */
    void look() {
        poller.look();
    }

    private void ask() throws Exception {
        Optional<Kept> changed =
                source.changedSince(version).toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        changed.ifPresent(this::take);
        if (away) {
            away = false;
            log.info("The limits of clients that are kept outside the file can be read again, and are in force");
        }
    }

    private void take(Kept kept) {
        if (kept.limits().size() > ClientOverrideSource.MOST) {
            throw new IllegalStateException("there are " + kept.limits().size() + " limits, but at most "
                    + ClientOverrideSource.MOST + " are allowed");
        }
        inForce.accept(kept);
        version = kept.version();
    }

    private void complain(Throwable thrown) {
        if (away || poller.isClosed()) {
            return;
        }
        away = true;
        if (isToldAway.getAsBoolean()) {
            log.info(
                    "The limits of clients that are kept in the store cannot be read while it is away. Those read last stay "
                            + "in force; at the start there are none");
            return;
        }
        log.warn(
                "The limits of clients that are kept outside the file cannot be read. Those read last stay in force. They "
                        + "are asked for again every {}. The cause: {}",
                Durations.shortest(interval.get()),
                reason(thrown));
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
