package dev.sluice.config;

import dev.sluice.Call;
import dev.sluice.CostResolver;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.LimitsException;
import dev.sluice.LoadSignal;
import dev.sluice.RateLimitListener;
import dev.sluice.RateLimiter;
import dev.sluice.ResponseOptions;
import dev.sluice.Subject;
import dev.sluice.SubjectResolver;
import dev.sluice.config.fault.GuardedExtensions;
import dev.sluice.config.fault.GuardedListeners;
import dev.sluice.config.file.LimitsFile;
import dev.sluice.config.file.LimitsReader;
import dev.sluice.config.file.LoadContext;
import dev.sluice.config.follow.LimitsInForce;
import dev.sluice.config.follow.Presence;
import dev.sluice.config.follow.Refresh;
import dev.sluice.config.follow.RefusalLog;
import dev.sluice.config.follow.StatusKeeper;
import dev.sluice.config.follow.Watch;
import dev.sluice.config.keys.CostShape;
import dev.sluice.config.source.ConfigLocation;
import dev.sluice.config.source.SourceContent;
import dev.sluice.config.yaml.Variables;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.limiter.CountingRateLimiter;
import dev.sluice.limiter.definition.Phases;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource;
import dev.sluice.limits.ClientOverrideSource.Kept;
import dev.sluice.limits.ConfigSource;
import dev.sluice.limits.Explanation;
import dev.sluice.limits.LimiterStatus;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Phase;
import dev.sluice.limits.Standing;
import dev.sluice.store.CounterStores;
import dev.sluice.store.OverrideSources;
import dev.sluice.store.operated.Instances;
import dev.sluice.store.operated.KeptLimit;
import dev.sluice.traffic.CoarseClock;
import dev.sluice.traffic.Traffic;
import dev.sluice.traffic.TrafficReader;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running limiter that follows its file. */
public final class Sluice implements RateLimiter, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Sluice.class);

    private static final String UNBELIEVED =
            "A call came with X-Forwarded-For or Forwarded, and {} trusts no proxy: callers' addresses are those of the "
                    + "connections, so all callers behind one proxy count as one. If proxies stand before this service, "
                    + "name them in trustedProxies (said once)";

    private final CountingRateLimiter limiter;
    private final LimitsInForce inForce;
    private final InstantSource clock;
    private final StatusKeeper status;
    private final AtomicReference<@Nullable CoarseClock> coarse = new AtomicReference<>();
    private final GuardedListeners listeners;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Watch watch;
    private final RefusalLog refusals;
    private final SettableLimits settable;
    private final @Nullable Presence presence;
    /** Counted only once somebody reads it; written behind {@code listeners}. */
    private volatile @Nullable Traffic traffic;

    private final Map<Phase, RateLimiter> inPhases = Map.of(
            Phase.BEFORE_AUTHENTICATION,
            new InPhase(this, Phase.BEFORE_AUTHENTICATION),
            Phase.AFTER_AUTHENTICATION,
            new InPhase(this, Phase.AFTER_AUTHENTICATION));

    private Sluice(Builder builder) {
        GuardedExtensions extensions = new GuardedExtensions(LOG);
        Map<String, SubjectResolver> resolvers = new HashMap<>(builder.resolvers);
        resolvers.replaceAll(extensions::guarded);
        Map<String, CostResolver> costs = new HashMap<>(builder.costs);
        costs.replaceAll(extensions::guardedCost);
        LoadContext context = new LoadContext(
                builder.server,
                resolvers,
                costs,
                Variables.ofProcess(),
                new RunOnce(() -> LOG.warn(UNBELIEVED, builder.source.name())),
                new SilentSources(LOG, builder.source.name()));
        SourceContent content = SourceContent.of(builder.source);
        LimitsFile file = LimitsReader.parse(content, context);
        clock = builder.clock;
        status = new StatusKeeper(clock, builder.server, storeName(builder, file), file.name());
        List<RateLimitListener> all = new ArrayList<>(builder.listeners);
        all.add(0, status);
        listeners = extensions.guarded(all);
        CounterStore store = store(builder, file);
        awaitStore(builder, file, store);
        for (RateLimitListener listener : builder.listeners) {
            if (listener instanceof TrafficReader reader && reader.wantsTraffic()) {
                reader.read(traffic()); // which starts a thread, so after all that may fail
            }
        }
        LoadSignal load = builder.load == null ? null : extensions.guarded(builder.load);
        // No other limiter ever had this name, nor this instance before a restart: the store tells repeated batches by
        // it.
        String instance = builder.server + '-' + UUID.randomUUID();
        limiter = new CountingRateLimiter(file.limits(), builder.clock, listeners, store, instance, load);
        inForce = new LimitsInForce(LOG, file, limiter::replace, listeners);
        refusals = new RefusalLog(LoggerFactory.getLogger(RefusalLog.LOGGER), inForce::refusalInterval);
        listeners.add(refusals);
        refusals.follow();
        presence = presence(store, instance, builder, file);
        Consumer<LimitsFile> files = inForce::follow;
        Function<Kept, List<ClientOverride>> overrides = inForce::follow;
        if (presence != null) {
            listeners.add(presence.refusals());
            files = files.andThen(presence::follow);
            overrides = kept -> {
                List<ClientOverride> used = inForce.follow(kept);
                presence.follow(kept);
                return used;
            };
            presence.start();
        }
        watch = new Watch(LOG, builder.source, context, content, file, files, listeners).start();
        ClientOverrideSource source =
                builder.overrideSource != null ? builder.overrideSource : OverrideSources.of(store);
        // A store that is away is told of once, by the limiter.
        BooleanSupplier isToldAway = builder.overrideSource != null ? () -> false : listeners::isStoreAway;
        Function<Kept, List<ClientOverride>> followed = overrides;
        settable = new SettableLimits(
                source,
                place -> new Refresh(LOG, place, inForce::refreshInterval, followed, isToldAway).start(),
                builder.clock);
        LOG.info("{} is in force: {}", file.name(), file.summary());
    }

    /** Tells of this instance where it counts together with others, if that is a place for it. */
    private static @Nullable Presence presence(
            @Nullable CounterStore store, String instance, Builder builder, LimitsFile file) {
        Instances instances = OverrideSources.instances(store);
        return instances == null ? null : new Presence(instances, instance, builder.server, file, builder.clock);
    }

    /** Where instances count together; {@code null} if this one counts alone. */
    private static @Nullable CounterStore store(Builder builder, LimitsFile file) {
        if (builder.store != null) {
            return builder.store;
        }
        String uri = storeUri(builder, file);
        return uri == null ? null : CounterStores.open(uri);
    }

    /** For people, without secrets; {@code null} if this instance counts alone. */
    private static @Nullable String storeName(Builder builder, LimitsFile file) {
        if (builder.store != null) {
            return builder.store.getClass().getSimpleName();
        }
        String uri = storeUri(builder, file);
        return uri == null ? null : CounterStores.shown(uri);
    }

    /** What the builder says goes before the file; {@code null} for the memory of this process. */
    private static @Nullable String storeUri(Builder builder, LimitsFile file) {
        String said = builder.storeUri;
        if (said == null) {
            String unsaid = file.namesStore() ? null : builder.storeIfUnsaid.get();
            said = unsaid == null ? file.storeUri() : unsaid;
        }
        return said.equals(CounterStores.MEMORY) ? null : said;
    }

    /** Where the file says that the limiter needs its store, this waits for it. */
    private static void awaitStore(Builder builder, LimitsFile file, @Nullable CounterStore store) {
        if (store == null || !file.onStart().needsStore()) {
            return;
        }
        try {
            StoreAtStart.require(store, file);
        } catch (StoreException e) {
            if (builder.store == null) {
                store.close(); // an application's own is for the application to close
            }
            throw e;
        }
    }

    /**
     * Starts a limiter by the file at this place, a path or {@code classpath:} and a name.
     *
     * @throws LimitsException with all that is wrong with the file
     * @throws StoreException if the store does not answer, and the file says that the limiter does not start then
     */
    public static Sluice open(String location) {
        return builder().config(location).open();
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public Decision decide(Call call) {
        return limiter.decide(call);
    }

    /**
     * This limiter, for a service that asks it twice for a call: each definition answers in one of the phases. Those of
     * a phase judge together; whatever was counted in the first stays counted when the second refuses the call.
     */
    public RateLimiter in(Phase phase) {
        return phase == Phase.WHOLE ? this : Objects.requireNonNull(inPhases.get(phase));
    }

    /** When a definition of the file in force is asked, where the limiter is asked in phases. */
    public Phase phaseOf(Endpoint endpoint) {
        return new Phases(limiter.limits()).of(endpoint);
    }

    /** The limiter's answers in one phase. */
    private record InPhase(Sluice sluice, Phase phase) implements RateLimiter {

        @Override
        public Decision decide(Call call) {
            return sluice.limiter.decide(call, phase);
        }

        @Override
        public ResponseOptions responses() {
            return sluice.responses();
        }
    }

    @Override
    public ResponseOptions responses() {
        return limiter.responses();
    }

    /** The counters in which this call would be counted, one for each tier that it matches. Counts nothing. */
    public List<Explanation> explain(Call call) {
        return limiter.explain(call);
    }

    /** Who calls most, and who is refused. It is counted from the first time this is asked. */
    public Traffic traffic() {
        Traffic known = traffic;
        return known == null ? beginTraffic() : known;
    }

    /** Each call asks it, so it has to be cheap; not where the application has a clock of its own. */
    private InstantSource trafficClock() {
        if (clock != Builder.SYSTEM || closed.get()) {
            return clock;
        }
        CoarseClock started = CoarseClock.following(clock);
        coarse.set(started);
        return started;
    }

    private Traffic beginTraffic() {
        synchronized (listeners) {
            Traffic known = traffic;
            Traffic counted = known == null ? new Traffic(trafficClock()) : known;
            if (known == null) {
                listeners.add(counted);
                traffic = counted;
            }
            return counted;
        }
    }

    /** What is in force, those limits among it that were set outside the file. */
    public Limits limits() {
        return limiter.limits();
    }

    /** How this limiter is at this moment: what is in force, whether its store answers. */
    public LimiterStatus status() {
        return status.status(limiter.limits(), inForce.notes());
    }

    /** How often the log says who is refused, by the file that is in force; zero for never. */
    public Duration refusalInterval() {
        return inForce.refusalInterval();
    }

    /**
     * Sets a limit of one client outside the file, where such limits are kept: in the store, for all instances, or in this
     * process if it counts alone. It is in force within {@link #refreshInterval()}.
     *
     * @param lasts for how long; zero for as long as nobody removes it
     * @param by who sets it, as far as that is known
     * @param why the reason, if there is one
     * @throws IllegalArgumentException if it would change nothing
     * @throws IllegalStateException if limits cannot be set, since the application keeps them itself
     */
    public CompletionStage<Boolean> setLimit(ClientOverride limit, Duration lasts, String by, String why) {
        String trouble = inForce.troubleWith(limit);
        if (!trouble.isEmpty()) {
            throw new IllegalArgumentException(trouble);
        }
        return settable.keeper().set(limit, new KeptLimit.Note(lasts, by, why));
    }

    /**
     * Removes such a limit; whether there was one.
     *
     * @throws IllegalStateException if limits cannot be set, since the application keeps them itself
     */
    public CompletionStage<Boolean> unsetLimit(ClientOverride limit) {
        return settable.keeper().unset(limit);
    }

    /** How long it takes at most until limits are followed that are kept outside the file. */
    public Duration refreshInterval() {
        return inForce.refreshInterval();
    }

    /**
     * Where a caller stands in each limit that counts it in this process, counting nothing. It looks at all counters,
     * which takes some milliseconds where there are very many: do not ask for each call.
     *
     * @param caller as decisions name who was counted
     */
    public List<Standing> standings(List<Subject> caller) {
        return limiter.standings(caller);
    }

    /**
     * Stops following the file, and returns what is held of shared limits. Decisions go on to be made, as if the store
     * were away. The second time nothing happens.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        watch.close();
        settable.close();
        if (presence != null) {
            presence.close();
        }
        limiter.close();
        refusals.close();
        CoarseClock ticking = coarse.get();
        if (ticking != null) {
            ticking.close();
        }
    }

    /** What may be said before a limiter starts; everything has a default. */
    public static final class Builder {

        private static final InstantSource SYSTEM = InstantSource.system();

        private ConfigSource source = ConfigLocation.source("rate-limits.yml");
        private final Map<String, SubjectResolver> resolvers = new HashMap<>();
        private final Map<String, CostResolver> costs = new HashMap<>();
        private final List<RateLimitListener> listeners = new ArrayList<>();
        private InstantSource clock = SYSTEM;
        private @Nullable String storeUri;
        private Supplier<@Nullable String> storeIfUnsaid = () -> null;
        private @Nullable CounterStore store;
        private @Nullable LoadSignal load;
        private @Nullable ClientOverrideSource overrideSource;
        private String server = ServerName.ofProcess();

        private Builder() {}

        /** A path, or {@code classpath:} and the name of a resource; {@code rate-limits.yml} if nothing is said. */
        public Builder config(String location) {
            return config(ConfigLocation.source(location));
        }

        public Builder config(ConfigSource source) {
            this.source = source;
            return this;
        }

        /** Lets the file speak of a source of subjects by this name. */
        public Builder resolver(String name, SubjectResolver resolver) {
            resolvers.put(name, resolver);
            return this;
        }

        /**
         * Lets the file speak of a {@code cost} by this name.
         *
         * @throws IllegalArgumentException if {@code cost} means something else by that name: a number, {@code
         *     charged}, or a word with a colon
         */
        public Builder costResolver(String name, CostResolver resolver) {
            if (!CostShape.isName(name)) {
                throw new IllegalArgumentException(
                        "a CostResolver cannot be named \"" + name + "\"; choose a word, such as by-size");
            }
            costs.put(name, resolver);
            return this;
        }

        /** Tells this listener too; they are told in the order in which they are given. */
        public Builder listener(RateLimitListener listener) {
            listeners.add(listener);
            return this;
        }

        /** Where instances count together, whatever the file says. */
        public Builder store(String uri) {
            this.storeUri = uri;
            this.store = null;
            return this;
        }

        /** The same, with a store of the application's own. Closed with the limiter. */
        public Builder store(CounterStore ownStore) {
            this.store = ownStore;
            return this;
        }

        /** Where instances count together if nothing else says; asked only then. {@code null} for this process alone. */
        public Builder storeIfUnsaid(Supplier<@Nullable String> uri) {
            this.storeIfUnsaid = uri;
            return this;
        }

        /**
         * Tells how busy this instance is, for tiers that are elastic; by default its processors and calls under way
         * do.
         */
        public Builder loadSignal(LoadSignal signal) {
            this.load = signal;
            return this;
        }

        /**
         * Where limits of single clients are kept outside the file; by default in the store, if that is Redis. Closed
         * with the limiter.
         */
        public Builder overrideSource(ClientOverrideSource source) {
            this.overrideSource = source;
            return this;
        }

        public Builder clock(InstantSource clock) {
            this.clock = clock;
            return this;
        }

        /** Names this instance, as the source {@code server} answers; must differ from that of every other instance. */
        public Builder server(String instanceName) {
            this.server = instanceName;
            return this;
        }

        /**
         * Reads the file and starts.
         *
         * @throws LimitsException with all that is wrong with the file
         * @throws StoreException if the store does not answer, and the file says that the limiter does not start then
         */
        public Sluice open() {
            return new Sluice(this);
        }
    }
}
