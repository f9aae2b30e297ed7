package dev.sluice.config;

import dev.sluice.config.fault.GuardedListeners;
import dev.sluice.config.file.LimitsFile;
import dev.sluice.config.follow.ConfigWatcher;
import dev.sluice.config.follow.LimitsInForce;
import dev.sluice.config.follow.OverrideRefresher;
import dev.sluice.config.status.InstanceHeartbeat;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import dev.sluice.store.OverrideSources;
import dev.sluice.store.operated.Instances;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * What goes on beside the calls of one limiter, from its start until it is closed: the file and limits of clients outside
 * it are followed, and the store is told of this instance.
 */
final class BackgroundTasks implements AutoCloseable {

    private final LimitsInForce inForce;
    private final ConfigWatcher watch;
    private final SettableLimits limits;
    private final @Nullable InstanceHeartbeat presence;

    /** Starts all that the application and the store make possible. */
    BackgroundTasks(Logger log, Settings settings, Opened opened, LimitsInForce inForce, GuardedListeners listeners) {
        this.inForce = inForce;
        this.presence = presence(settings, opened);
        if (presence != null) {
            listeners.add(presence.refusals());
            presence.start();
        }
        this.watch = new ConfigWatcher(
                        log,
                        settings.source,
                        opened.context(),
                        opened.content(),
                        opened.file(),
                        this::follow,
                        listeners)
                .start();
        ClientOverrideSource source =
                settings.overrideSource != null ? settings.overrideSource : OverrideSources.of(opened.store());
        // The limiter logs once that the store is away.
        BooleanSupplier isToldAway = settings.overrideSource != null ? () -> false : listeners::isStoreAway;
        this.limits = new SettableLimits(
                source,
                place -> new OverrideRefresher(log, place, inForce::refreshInterval, this::follow, isToldAway).start(),
                settings.clock);
    }

    /** Limits of clients that can be set outside the file while the limiter runs. */
    SettableLimits limits() {
        return limits;
    }

    /** Tells of this instance where it counts together with others, if that is a place for it. */
    private static @Nullable InstanceHeartbeat presence(Settings settings, Opened opened) {
        Instances instances = OverrideSources.instances(opened.store());
        return instances == null
                ? null
                : new InstanceHeartbeat(instances, opened.instance(), settings.server, opened.file(), settings.clock);
    }

    private void follow(LimitsFile file) {
        inForce.follow(file);
        if (presence != null) {
            presence.follow(file);
        }
    }

    private List<ClientOverride> follow(Overrides kept) {
        List<ClientOverride> used = inForce.follow(kept);
        if (presence != null) {
            presence.follow(kept);
        }
        return used;
    }

    @Override
    public void close() {
        watch.close();
        limits.close();
        if (presence != null) {
            presence.close();
        }
    }
}
