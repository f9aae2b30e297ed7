package dev.sluice.config;

import dev.sluice.LimitsException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;

/**
 * Looks at intervals whether the file has changed and puts good changes in force; a bad file changes nothing but the log.
 * It goes by the content alone, since mounted config maps swap symbolic links and times of files lie. Owns one daemon
 * thread, on which everything but the start and the end happens.
 */
final class Watch implements AutoCloseable {

    private static final Duration SETTLING = Duration.ofMillis(50);

    private final Logger log;
    private final ConfigSource source;
    private final LoadContext context;
    private final Consumer<LimitsFile> inForce;
    private final CountDownLatch closed = new CountDownLatch(1);
    private String seen;
    private boolean refused;
    private Duration interval;

    /**
     * Starts from what was read already; {@link #start()} begins to look.
     *
     * @param inForce is given each good file
     */
    Watch(
            Logger log,
            ConfigSource source,
            LoadContext context,
            SourceContent content,
            LimitsFile file,
            Consumer<LimitsFile> inForce) {
        this.log = log;
        this.source = source;
        this.context = context;
        this.inForce = inForce;
        this.seen = content.fingerprint();
        this.interval = file.reload();
    }

    Watch start() {
        Thread thread = new Thread(this::run, "sluice-watch");
        thread.setDaemon(true);
        thread.start();
        return this;
    }

    private void run() {
        while (!closesWithin(interval)) {
            try {
                look();
            } catch (Throwable thrown) { // whatever it is, the next look may go well
                complain(thrown);
            }
        }
    }

    private void complain(Throwable thrown) {
        try {
            log.warn(
                    "Could not check whether the limits have changed. The limits in force stay, and the next check follows",
                    thrown);
        } catch (Throwable ignored) {
            // nobody is left to tell
        }
    }

    /** Looks once. A new content counts when it has stood still for a moment: a file may be in the middle of being written. */
    void look() {
        SourceContent content = SourceContent.of(source);
        if (content.fingerprint().equals(seen) || closesWithin(SETTLING)) {
            return;
        }
        if (SourceContent.of(source).fingerprint().equals(content.fingerprint())) {
            seen = content.fingerprint();
            take(content);
        }
    }

    private void take(SourceContent content) {
        try {
            LimitsFile file = content.parse(context);
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
        }
    }

    private boolean closesWithin(Duration time) {
        try {
            return closed.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return false; // not our way of closing
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
