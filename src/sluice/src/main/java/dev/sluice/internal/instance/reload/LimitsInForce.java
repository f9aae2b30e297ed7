package dev.sluice.internal.instance.reload;

import dev.sluice.RateLimitListener;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.limits.Client;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import dev.sluice.limits.Limits;
import dev.sluice.limits.OverrideNote;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;

/**
 * The limits in force, which are the limits of the file with the overrides applied. Thread-safe: one thread applies
 * changes to the file, another applies changes to the overrides, and the monitor of {@code this} guards the state.
 */
public final class LimitsInForce {

    private final Logger log;
    private final Predicate<LimitsFile> leadsToOtherStore;
    private final Consumer<Limits> limiter;
    private final RateLimitListener listener;
    /**
     * Volatile, so that readers do not need the lock. A listener that reads the file might already hold a lock, so
     * acquiring this one could cause a deadlock.
     */
    private volatile LimitsFile file;

    private volatile Map<Client, OverrideNote> notes = Map.of();
    private Overrides overrides = new Overrides("", List.of());
    private String skipped = "";

    /**
     * Creates the limits from the file with which the limiter was opened.
     *
     * @param leadsToOtherStore tests whether a limiter that starts with a given file would use a different store
     * @param limiter receives the limits whenever they change
     * @param listener receives an event after each change
     */
    public LimitsInForce(
            Logger log,
            LimitsFile opened,
            Predicate<LimitsFile> leadsToOtherStore,
            Consumer<Limits> limiter,
            RateLimitListener listener) {
        this.log = log;
        this.leadsToOtherStore = leadsToOtherStore;
        this.limiter = limiter;
        this.listener = listener;
        this.file = opened;
    }

    /** Applies overrides to the limits of a file. */
    public static Limits of(LimitsFile file, List<ClientOverride> overrides) {
        return file.limits().withOverrides(new UsableOverrides(file, overrides, Map.of()).clients());
    }

    /** Puts a file into force. If the limiter throws an exception, the limits in force remain the same. */
    public synchronized void follow(LimitsFile now) {
        boolean hasOtherStore = leadsToOtherStore.test(now);
        put(now, overrides);
        file = now;
        listener.onReload(now.limits().endpoints());
        if (hasOtherStore) {
            log.warn(
                    "{} names a different store, which the next start will use. All other changes are in force now.",
                    now.name());
        }
    }

    /** Puts overrides into force. Returns the overrides that can be used with the file. */
    public synchronized List<ClientOverride> follow(Overrides now) {
        List<ClientOverride> used = put(file, now);
        boolean haveChanged = !overrides.limits().equals(now.limits());
        overrides = now;
        if (haveChanged) {
            listener.onClientOverrides(now.limits().size());
        }
        return used;
    }

    private List<ClientOverride> put(LimitsFile nextFile, Overrides next) {
        UsableOverrides usable = new UsableOverrides(nextFile, next.limits(), next.notes());
        if (!usable.skipped().equals(skipped)) {
            skipped = usable.skipped();
            if (!skipped.isEmpty()) {
                log.warn(
                        "Some client overrides cannot be used with the file and are skipped. The others are in "
                                + "force. Skipped: {}",
                        skipped);
            }
        }
        limiter.accept(nextFile.limits().withOverrides(usable.clients()));
        notes = usable.notes();
        return usable.used();
    }

    /** The notes about the overrides in force, by client. Does not acquire the lock. */
    public Map<Client, OverrideNote> notes() {
        return notes;
    }

    /**
     * Whether an endpoint of the file, enabled or not, has the given name under {@code on}. Does not acquire the lock.
     */
    public boolean hasOn(String name) {
        return file.onMethods().contains(name);
    }

    /** The name of the file. Does not acquire the lock. */
    public String fileName() {
        return file.name();
    }

    /** How often to log refused callers; zero if they are not logged. Does not acquire the lock. */
    public Duration refusalInterval() {
        return file.intervals().refusals();
    }

    /** The reason why an override cannot be used with the file; empty if it can. */
    public synchronized String problemWith(ClientOverride limit) {
        return new UsableOverrides(file, List.of(limit), Map.of()).skipped();
    }

    /** How often to check for changed overrides. Does not acquire the lock. */
    public Duration refreshInterval() {
        return file.intervals().refresh();
    }
}
