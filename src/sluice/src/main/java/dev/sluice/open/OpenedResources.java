package dev.sluice.open;

import dev.sluice.CostResolver;
import dev.sluice.SubjectResolver;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.config.clients.AskedClients;
import dev.sluice.internal.config.extension.GuardedExtensions;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.config.file.LimitsReader;
import dev.sluice.internal.config.file.LoadContext;
import dev.sluice.internal.config.keys.ClientsSection;
import dev.sluice.internal.config.source.SourceContent;
import dev.sluice.internal.config.yaml.Variables;
import dev.sluice.internal.store.CounterStores;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The file and the store with which a limiter starts. All startup steps that can fail happen here.
 *
 * @param context the external objects to which the file can refer
 * @param clients the client sources registered by the application
 * @param content the content of the file as it was read
 * @param store the shared store; {@code null} if this instance counts alone
 * @param storeName the store name without secrets; {@code null} if this instance counts alone
 * @param leadsToOtherStore tests whether a restart with a given file would open a different store
 * @param instance a name that is unique to this run of this instance. The name lets the store recognise repeated
 *     batches
 */
record OpenedResources(
        GuardedExtensions extensions,
        LoadContext context,
        List<AskedClients> clients,
        SourceContent content,
        LimitsFile file,
        @Nullable CounterStore store,
        @Nullable String storeName,
        Predicate<LimitsFile> leadsToOtherStore,
        String instance) {

    /** Reads the file and opens the store. Waits for the store if the file requires it. */
    static OpenedResources open(Settings settings, Logger log) {
        GuardedExtensions extensions = new GuardedExtensions(log);
        Map<String, AskedClients> clients = new HashMap<>();
        settings.clientSources.forEach((name, from) -> clients.put(name, new AskedClients(log, name, from)));
        LoadContext context = context(settings, extensions, clients, log);
        SourceContent content = SourceContent.of(settings.source);
        LimitsFile file = LimitsReader.parse(content, context);
        CounterStore own = settings.store;
        String uri = own != null ? null : storeUri(settings, file);
        String name = own != null ? own.getClass().getSimpleName() : uri == null ? null : CounterStores.shown(uri);
        CounterStore store = own != null ? own : uri == null ? null : CounterStores.open(uri);
        awaitStore(settings, file, store);
        Predicate<LimitsFile> leadsToOtherStore = now -> own == null && !Objects.equals(uri, storeUri(settings, now));
        return new OpenedResources(
                extensions,
                context,
                List.copyOf(clients.values()),
                content,
                file,
                store,
                name,
                leadsToOtherStore,
                settings.server + '-' + UUID.randomUUID());
    }

    /** Returns what operators should change about the store; {@code null} if nothing needs to change. */
    @Nullable String storeWarning() {
        try {
            return store == null ? null : store.warning();
        } catch (RuntimeException e) {
            return null; // the application's own store can throw an exception, but must not break the status
        }
    }

    private static LoadContext context(
            Settings settings, GuardedExtensions extensions, Map<String, AskedClients> clients, Logger log) {
        Map<String, SubjectResolver> resolvers = new HashMap<>(settings.resolvers);
        resolvers.replaceAll(extensions::guarded);
        Map<String, CostResolver> costs = new HashMap<>(settings.costs);
        costs.replaceAll(extensions::guardedCost);
        return new LoadContext(
                settings.server,
                resolvers,
                costs,
                openers(clients),
                Variables.ofProcess(),
                new CallerWarningLog(log, settings.source.name()));
    }

    private static Map<String, ClientsSection.Opener> openers(Map<String, AskedClients> clients) {
        Map<String, ClientsSection.Opener> openers = new HashMap<>();
        clients.forEach((name, asked) -> openers.put(name, asked::with));
        return openers;
    }

    /**
     * Returns the URI of the store; {@code null} if this instance counts in memory alone. A URI that is set in code
     * takes precedence over the one in the file.
     */
    private static @Nullable String storeUri(Settings settings, LimitsFile file) {
        String uri = settings.storeUri;
        if (uri == null) {
            String byDefault = file.store().isNamed() ? null : settings.defaultStore.get();
            uri = byDefault == null ? file.store().uri() : byDefault;
        }
        return uri.equals(CounterStores.MEMORY) ? null : uri;
    }

    /** Waits for the store if the file requires it at startup. */
    private static void awaitStore(Settings settings, LimitsFile file, @Nullable CounterStore store) {
        if (store == null || !file.store().onStart().needsStore()) {
            return;
        }
        try {
            StoreAtStart.require(store, file);
        } catch (StoreException e) {
            if (settings.store == null) {
                store.close(); // the application closes its own store itself
            }
            throw e;
        }
    }
}
