package dev.sluice.config.follow;

import dev.sluice.RateLimitListener;
import dev.sluice.config.file.LimitsFile;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource.Kept;
import dev.sluice.limits.Limits;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;

/**
 * What the limiter goes by: the file, and limits of clients that are kept elsewhere. Both change on threads of their
 * own; guarded by {@code this}.
 */
public final class LimitsInForce {

    private final Logger log;
    private final LimitsFile opened;
    private final Consumer<Limits> limiter;
    private final RateLimitListener listener;
    private LimitsFile file;
    private List<ClientOverride> kept = List.of();
    private String skipped = "";

    /**
     * Begins with the file as it was opened.
     *
     * @param limiter goes by the limits that it is given
     * @param listener is told when they are others
     */
    public LimitsInForce(Logger log, LimitsFile opened, Consumer<Limits> limiter, RateLimitListener listener) {
        this.log = log;
        this.opened = opened;
        this.limiter = limiter;
        this.listener = listener;
        this.file = opened;
    }

    /** A file that the limiter does not take changes nothing, and may be given again. */
    public synchronized void follow(LimitsFile now) {
        put(now, kept);
        file = now;
        listener.onReload(now.limits().endpoints());
        if (!now.storeUri().equals(opened.storeUri())) {
            log.warn(
                    "{} names another store. That takes effect at the next start. All other changes are in force now.",
                    now.name());
        }
    }

    public synchronized void follow(Kept now) {
        put(file, now.limits());
        boolean areOthers = !kept.equals(now.limits());
        kept = now.limits();
        if (areOthers) {
            listener.onClientOverrides(kept.size());
        }
    }

    private void put(LimitsFile of, List<ClientOverride> others) {
        ClientOverrides own = new ClientOverrides(of, others);
        if (!own.skipped().equals(skipped)) {
            skipped = own.skipped();
            if (!skipped.isEmpty()) {
                log.warn(
                        "Some limits of clients that are kept outside the file cannot be used and are skipped. The others are in force. Skipped: {}",
                        skipped);
            }
        }
        limiter.accept(of.limits().withOverrides(own.clients()));
    }

    /** How often to say in the log who is refused; zero for never. */
    public synchronized Duration refusalInterval() {
        return file.refusals();
    }

    /** How often to ask whether limits have changed that are kept elsewhere. */
    public synchronized Duration refreshInterval() {
        return file.refresh();
    }
}
