package dev.sluice.config.follow;

import dev.sluice.RateLimitListener;
import dev.sluice.config.file.LimitsFile;
import dev.sluice.limits.Client;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import dev.sluice.limits.Limits;
import dev.sluice.limits.OverrideNote;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
    /** Read without the lock where a listener may ask, which may hold one of its own. */
    private volatile LimitsFile file;

    private volatile Map<Client, OverrideNote> notes = Map.of();
    private Overrides kept = new Overrides("", List.of());
    private String skipped = "";

    /**
     * Begins with the file as it was opened.
     *
     * @param limiter goes by the limits that it is given
     * @param listener called when they change
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

    /** Puts these limits in force, and tells which of them make sense beside the file. */
    public synchronized List<ClientOverride> follow(Overrides now) {
        List<ClientOverride> used = put(file, now);
        boolean areOthers = !kept.limits().equals(now.limits());
        kept = now;
        if (areOthers) {
            listener.onClientOverrides(kept.limits().size());
        }
        return used;
    }

    private List<ClientOverride> put(LimitsFile of, Overrides others) {
        ClientOverrides own = new ClientOverrides(of, others.limits(), others.notes());
        if (!own.skipped().equals(skipped)) {
            skipped = own.skipped();
            if (!skipped.isEmpty()) {
                log.warn(
                        "Some limits of clients that are kept outside the file cannot be used and are skipped. The others are in force. Skipped: {}",
                        skipped);
            }
        }
        limiter.accept(of.limits().withOverrides(own.clients()));
        notes = own.notes();
        return own.used();
    }

    /** What is told of limits of clients that are kept elsewhere and in force. Takes no lock. */
    public Map<Client, OverrideNote> notes() {
        return notes;
    }

    /** How often to say in the log who is refused; zero for never. Takes no lock. */
    public Duration refusalInterval() {
        return file.refusals();
    }

    /** Why a limit of a client would change nothing beside the file; empty if it would. */
    public synchronized String problemWith(ClientOverride limit) {
        return new ClientOverrides(file, List.of(limit)).skipped();
    }

    /** How often to ask whether limits have changed that are kept elsewhere. */
    public synchronized Duration refreshInterval() {
        return file.refresh();
    }
}
