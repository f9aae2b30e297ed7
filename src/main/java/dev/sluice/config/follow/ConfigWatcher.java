package dev.sluice.config.follow;

import dev.sluice.LimitsException;
import dev.sluice.RateLimitListener;
import dev.sluice.config.file.LimitsFile;
import dev.sluice.config.file.LimitsReader;
import dev.sluice.config.file.LoadContext;
import dev.sluice.config.poll.Poller;
import dev.sluice.config.source.SourceContent;
import dev.sluice.limits.ConfigSource;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;

/**
 * Looks at intervals whether the file has changed and puts good changes in force; a bad file changes nothing but the
 * log. It goes by the content alone, since mounted config maps swap symbolic links and times of files lie. All but the
 * start and the end happens on the thread of its {@link Poller}.
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
    private boolean refused;
    private boolean isFailing;
    private Duration interval;

    /**
     * Starts from what was read already; {@link #start()} begins to look.
     *
     * @param inForce is given each good file
     * @param listener called for each bad one
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
        this.interval = file.reload();
        this.poller = new Poller("sluice-watch", interval, () -> interval, this::check, this::complain);
    }

    public ConfigWatcher start() {
        poller.start();
        return this;
    }

    /** Of checks that fail one after the other, the first is logged. */
    private void complain(Throwable thrown) {
        if (!isFailing) {
            isFailing = true;
            log.warn(
                    "Could not check whether the limits have changed. The limits in force stay, and the next check follows",
                    thrown);
        }
    }

    /** Looks once. */
    void look() {
        poller.look();
    }

    /**
     * A new content counts when it has stood still for a moment: a file may be in the middle of being written. What
     * could not be taken is new to the next check, too.
     */
    private void check() {
        SourceContent content = SourceContent.of(source);
        if (!content.isSameAs(seen) && !poller.closesWithin(SETTLING)) {
            if (SourceContent.of(source).isSameAs(content)) {
                take(content);
                seen = content;
            }
        }
        isFailing = false;
    }

    private void take(SourceContent content) {
        try {
            LimitsFile file = LimitsReader.parse(content, context);
            inForce.accept(file);
            interval = file.reload();
            log.info(
                    "{} {} in force: {}",
                    file.name(),
                    refused ? "has been corrected and is" : "has changed and is",
                    file.summary());
            refused = false;
        } catch (LimitsException e) {
            refused = true;
            log.warn(
                    "{} has mistakes and was not loaded. The limits in force stay. The file is read again when it changes.\n{}",
                    content.name(),
                    e.getMessage());
            listener.onReloadRefused(e);
        }
    }

    @Override
    public void close() {
        poller.close();
    }
}
