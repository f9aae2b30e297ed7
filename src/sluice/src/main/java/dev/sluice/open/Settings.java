package dev.sluice.open;

import dev.sluice.CostResolver;
import dev.sluice.LoadSignal;
import dev.sluice.RateLimitListener;
import dev.sluice.SubjectResolver;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.config.source.ConfigLocation;
import dev.sluice.limits.ClientOverrideSource;
import dev.sluice.limits.ClientSource;
import dev.sluice.limits.ConfigSource;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The limiter settings that an application specifies in code. {@code Sluice.Builder} explains each of them. Not
 * thread-safe.
 */
final class Settings {

    static final InstantSource SYSTEM = InstantSource.system();

    ConfigSource source = ConfigLocation.source("rate-limits.yml");
    final Map<String, SubjectResolver> resolvers = new HashMap<>();
    final Map<String, CostResolver> costs = new HashMap<>();
    final Map<String, ClientSource> clientSources = new HashMap<>();
    final List<RateLimitListener> listeners = new ArrayList<>();
    InstantSource clock = SYSTEM;

    @Nullable String storeUri;

    Supplier<@Nullable String> defaultStore = () -> null;

    @Nullable CounterStore store;

    @Nullable LoadSignal load;

    @Nullable ClientOverrideSource overrideSource;

    String server = ServerName.ofProcess();
}
