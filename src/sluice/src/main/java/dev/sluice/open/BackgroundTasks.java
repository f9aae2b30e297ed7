package dev.sluice.open;

import dev.sluice.CounterKey;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.config.clients.AskedClients;
import dev.sluice.internal.config.extension.GuardedListeners;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.instance.reload.ConfigWatcher;
import dev.sluice.internal.instance.reload.LimitsInForce;
import dev.sluice.internal.instance.reload.OverrideRefresher;
import dev.sluice.internal.instance.status.BlockExchange;
import dev.sluice.internal.instance.status.InstanceHeartbeat;
import dev.sluice.internal.instance.status.UnresponsiveInstances;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.store.OperatorData;
import dev.sluice.internal.store.admin.BlockStore;
import dev.sluice.internal.store.admin.CounterGifts;
import dev.sluice.internal.store.admin.InMemoryBlockStore;
import dev.sluice.internal.store.admin.Instances;
import dev.sluice.internal.store.admin.LiveCounters;
import dev.sluice.internal.thread.TaskThread;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import dev.sluice.traffic.CallerNames;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The background tasks of one limiter. While the limiter is open, they follow changes to the file and the overrides,
 * and report this instance to the store.
 */
final class BackgroundTasks implements AutoCloseable {

    private final TaskThread storeThread = new TaskThread(TaskThread.STORE);
    private final TaskThread overridesThread;
    private final LimitsInForce inForce;
    private final List<AskedClients> clients;
    private final ConfigWatcher watcher;
    private final SettableOverrides overrides;
    private final BlockExchange blocks;
    private final @Nullable InstanceHeartbeat heartbeat;
    private final UnresponsiveInstances unresponsive;
    /** The reader of the counters in the store; {@code null} if the store does not support reading counters. */
    private final @Nullable LiveCounters counters;

    private final @Nullable CounterGifts gifts;

    /**
     * Starts all tasks that the settings and the store support.
     *
     * @param names the display names of callers
     */
    BackgroundTasks(
            Logger log,
            Settings settings,
            OpenedResources opened,
            LimitsInForce inForce,
            GuardedListeners listeners,
            CountingRateLimiter limiter,
            CallerNames names) {
        this.inForce = inForce;
        this.clients = opened.clients();
        BlockStore shared = OperatorData.blocks(opened.store());
        this.blocks = new BlockExchange(
                log,
                limiter.blocks(),
                shared == null ? new InMemoryBlockStore(settings.clock) : shared,
                limiter::nowMillis,
                listeners,
                names,
                listeners::isStoreUnavailable,
                storeThread);
        blocks.follow(opened.file().limits());
        this.unresponsive = new UnresponsiveInstances(OperatorData.counters(opened.store()));
        CounterStore store = opened.store();
        this.counters = OperatorData.counters(store);
        this.gifts = counters == null || store == null ? null : new CounterGifts(counters, store);
        this.heartbeat = heartbeat(settings, opened, names, limiter.background());
        if (heartbeat != null) {
            listeners.add(heartbeat);
            heartbeat.start();
        }
        this.watcher = new ConfigWatcher(
                        log,
                        settings.source,
                        opened.context(),
                        opened.content(),
                        opened.file(),
                        this::follow,
                        listeners)
                .start();
        ClientOverrideSource source =
                settings.overrideSource != null ? settings.overrideSource : OperatorData.of(opened.store());
        // If the overrides are in the store, the limiter has already logged the store's outage.
        BooleanSupplier isUnavailableLogged =
                settings.overrideSource != null ? () -> false : listeners::isStoreUnavailable;
        // An application's own override source can hang. It runs on its own thread, so that it cannot delay the sharing
        // of blocks.
        this.overridesThread = settings.overrideSource != null ? new TaskThread("sluice-overrides") : storeThread;
        this.overrides = new SettableOverrides(
                source,
                from -> new OverrideRefresher(
                                log,
                                from,
                                inForce::refreshInterval,
                                this::follow,
                                limit -> limiter.limits().nameOf(limit.subject(), limit.value()),
                                isUnavailableLogged,
                                listeners,
                                overridesThread)
                        .start(),
                settings.clock);
    }

    CompletionStage<Boolean> unblock(CounterKey key) {
        return blocks.unblock(key);
    }

    /**
     * Returns the object that adds calls to counters in the store.
     *
     * @throws IllegalStateException if the counters are not in a store that can give calls
     */
    CounterGifts gifts() {
        if (gifts == null) {
            throw new IllegalStateException(
                    "this limiter has no store that can give calls; set a larger limit until the window ends");
        }
        return gifts;
    }

    SettableOverrides overrides() {
        return overrides;
    }

    UnresponsiveInstances unresponsive() {
        return unresponsive;
    }

    /** Creates the heartbeat. Returns {@code null} if the store does not support instance reports. */
    private static @Nullable InstanceHeartbeat heartbeat(
            Settings settings, OpenedResources opened, CallerNames names, TaskThread background) {
        Instances instances = OperatorData.instances(opened.store());
        return instances == null
                ? null
                : new InstanceHeartbeat(
                        instances,
                        opened.instance(),
                        settings.server,
                        opened.file(),
                        settings.clock,
                        names,
                        background);
    }

    private void follow(LimitsFile file) {
        inForce.follow(file);
        blocks.follow(file.limits());
        if (heartbeat != null) {
            heartbeat.follow(file);
        }
    }

    private List<ClientOverride> follow(Overrides now) {
        List<ClientOverride> used = inForce.follow(now);
        if (heartbeat != null) {
            heartbeat.follow(now);
        }
        return used;
    }

    @Override
    public void close() {
        watcher.close();
        clients.forEach(AskedClients::close);
        overrides.close();
        blocks.close();
        unresponsive.close();
        if (counters != null) {
            counters.close();
        }
        overridesThread.close();
        storeThread.close();
        if (heartbeat != null) {
            heartbeat.close();
        }
    }
}
