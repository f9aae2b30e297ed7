package dev.sluice.internal.instance.reload;

import dev.sluice.LimitsException;
import dev.sluice.RateLimitListener;
import dev.sluice.internal.config.clients.FileClients;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.config.file.LimitsReader;
import dev.sluice.internal.config.file.LoadContext;
import dev.sluice.internal.config.source.SourceContent;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.thread.Poller;
import dev.sluice.limits.ConfigSource;
import dev.sluice.limits.Plans;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Checks at intervals whether the file or its client table has changed, and puts valid changes into force. If the file
 * is invalid, logs the mistakes and keeps the limits in force. Compares only the content of the file. File times are
 * unreliable, and Kubernetes changes a mounted ConfigMap by swapping symbolic links. Not thread-safe: once started, a
 * watcher is only used on the thread of its {@link Poller}.
 */
public final class ConfigWatcher implements AutoCloseable {

    private static final Duration SETTLING = Duration.ofMillis(50);

    private final Logger log;
    private final ConfigSource source;
    private final LoadContext context;
    private final Consumer<LimitsFile> inForce;
    private final RateLimitListener listener;
    private final Poller poller;
    private SourceContent seen;
    private @Nullable FileClients clients;
    /** The reason why the latest content was rejected; {@code null} if it was valid. */
    private @Nullable LimitsException refused;

    private boolean isFailing;
    private Duration interval;

    /**
     * Creates a watcher. It does nothing until {@link #start()} is called.
     *
     * @param content the content in force
     * @param inForce receives each valid new file and puts it into force
     * @param listener receives an event for each invalid file
     */
    public ConfigWatcher(
            Logger log,
            ConfigSource source,
            LoadContext context,
            SourceContent content,
            LimitsFile file,
            Consumer<LimitsFile> inForce,
            RateLimitListener listener) {
        this.log = log;
        this.source = source;
        this.context = context;
        this.inForce = inForce;
        this.listener = listener;
        this.seen = content;
        this.interval = file.intervals().reload();
        this.clients = clientsOf(file);
        this.poller = new Poller("sluice-watch", interval, () -> interval, this::check, this::reportFailure);
    }

    public ConfigWatcher start() {
        poller.start();
        return this;
    }

    /** Logs only the first of several consecutive failures. */
    private void reportFailure(Throwable thrown) {
        if (!isFailing) {
            isFailing = true;
            log.warn(
                    "Could not check whether the file has changed. The current limits stay in force, and Sluice checks "
                            + "again",
                    thrown);
        }
    }

    /** Checks the file once. */
    void poll() {
        poller.poll();
    }

    /**
     * Loads new content only after it has been stable for a moment, because a write could still be in progress before
     * then. If loading fails or the file's client table is unusable, the next check loads the content again. This is
     * necessary because the table can be corrected without a change to the file.
     */
    private void check() {
        SourceContent content = SourceContent.of(source);
        if ((!content.isSameAs(seen) || lacksTable()) && !poller.closesWithin(SETTLING)) {
            if (SourceContent.of(source).isSameAs(content)) {
                take(content);
                seen = content;
            }
        }
        if (clients != null) {
            clients.follow(log, () -> !poller.closesWithin(SETTLING), listener);
        }
        isFailing = false;
    }

    /**
     * Whether the latest content was rejected because of its client table. The table can be corrected without a change
     * to the file.
     */
    private boolean lacksTable() {
        return refused != null
                && refused.problems().stream()
                        .anyMatch(problem -> problem.code().equals(ProblemCode.CLIENT_TABLE.text()));
    }

    private static @Nullable FileClients clientsOf(LimitsFile file) {
        Plans.Directory directory = file.limits().plans().directory();
        return directory != null && directory.clients() instanceof FileClients table ? table : null;
    }

    private void take(SourceContent content) {
        try {
            LimitsFile file = LimitsReader.parse(content, context);
            inForce.accept(file);
            interval = file.intervals().reload();
            clients = clientsOf(file);
            log.info(
                    "{} {} in force: {}",
                    file.name(),
                    refused != null ? "has been corrected and is" : "has changed and is",
                    file.summary());
            refused = null;
        } catch (LimitsException e) {
            boolean isKnown = refused != null
                    && content.isSameAs(seen)
                    && refused.problems().equals(e.problems());
            refused = e;
            if (!isKnown) {
                log.warn(
                        "{} has mistakes and was not loaded. The current limits stay in force. The file is read again "
                                + "when it changes.{}",
                        content.name(),
                        Findings.lines(e.problems()));
                listener.onReloadRefused(e);
            }
        }
    }

    @Override
    public void close() {
        poller.close();
    }
}
