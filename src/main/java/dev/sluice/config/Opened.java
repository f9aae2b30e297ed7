package dev.sluice.config;

import dev.sluice.CostResolver;
import dev.sluice.SubjectResolver;
import dev.sluice.config.fault.GuardedExtensions;
import dev.sluice.config.file.LimitsFile;
import dev.sluice.config.file.LimitsReader;
import dev.sluice.config.file.LoadContext;
import dev.sluice.config.source.SourceContent;
import dev.sluice.config.yaml.Variables;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.store.CounterStores;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * What is read and opened before a limiter starts. All that may fail at the start fails here.
 *
 * @param context what the file may refer to
 * @param content of the file, as it was read
 * @param store where instances count together; {@code null} if this one counts alone
 * @param storeName the store's name for people, without secrets; {@code null} if this instance counts alone
 * @param instance tells this instance apart from all others, also from itself before a restart: the store knows repeated
 *     batches by it
 */
record Opened(
        GuardedExtensions extensions,
        LoadContext context,
        SourceContent content,
        LimitsFile file,
        @Nullable CounterStore store,
        @Nullable String storeName,
        String instance) {

    private static final String UNBELIEVED =
            "A call came with X-Forwarded-For or Forwarded, and {} trusts no proxy: callers' addresses are those of the "
                    + "connections, so all callers behind one proxy count as one. If proxies stand before this service, "
                    + "name them in trustedProxies (said once)";

    /** Reads the file and opens the store, as the application says; waits for the store where the file says so. */
    static Opened by(Settings settings, Logger log) {
        GuardedExtensions extensions = new GuardedExtensions(log);
        LoadContext context = context(settings, extensions, log);
        SourceContent content = SourceContent.of(settings.source);
        LimitsFile file = LimitsReader.parse(content, context);
        String uri = storeUri(settings, file);
        CounterStore own = settings.store;
        String name = own != null ? own.getClass().getSimpleName() : uri == null ? null : CounterStores.shown(uri);
        CounterStore store = own != null ? own : uri == null ? null : CounterStores.open(uri);
        awaitStore(settings, file, store);
        return new Opened(extensions, context, content, file, store, name, settings.server + '-' + UUID.randomUUID());
    }

    private static LoadContext context(Settings settings, GuardedExtensions extensions, Logger log) {
        Map<String, SubjectResolver> resolvers = new HashMap<>(settings.resolvers);
        resolvers.replaceAll(extensions::guarded);
        Map<String, CostResolver> costs = new HashMap<>(settings.costs);
        costs.replaceAll(extensions::guardedCost);
        String file = settings.source.name();
        return new LoadContext(
                settings.server,
                resolvers,
                costs,
                Variables.ofProcess(),
                new RunOnce(() -> log.warn(UNBELIEVED, file)),
                new SilentSources(log, file));
    }

    /** What the application says goes before the file; {@code null} for the memory of this process. */
    private static @Nullable String storeUri(Settings settings, LimitsFile file) {
        String said = settings.storeUri;
        if (said == null) {
            String unsaid = file.namesStore() ? null : settings.storeIfUnsaid.get();
            said = unsaid == null ? file.storeUri() : unsaid;
        }
        return said.equals(CounterStores.MEMORY) ? null : said;
    }

    /** Where the file says that the limiter needs its store, this waits for it. */
    private static void awaitStore(Settings settings, LimitsFile file, @Nullable CounterStore store) {
        if (store == null || !file.onStart().needsStore()) {
            return;
        }
        try {
            StoreAtStart.require(store, file);
        } catch (StoreException e) {
            if (settings.store == null) {
                store.close(); // an application's own is for the application to close
            }
            throw e;
        }
    }
}
