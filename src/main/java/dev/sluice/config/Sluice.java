package dev.sluice.config;

import dev.sluice.Block;
import dev.sluice.Call;
import dev.sluice.CostResolver;
import dev.sluice.CounterKey;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.LimitsException;
import dev.sluice.LoadSignal;
import dev.sluice.OverrideChange;
import dev.sluice.RateLimitListener;
import dev.sluice.RateLimiter;
import dev.sluice.ResponseOptions;
import dev.sluice.Subject;
import dev.sluice.SubjectResolver;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.config.fault.GuardedListeners;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.config.follow.LimitsInForce;
import dev.sluice.internal.config.keys.CostShape;
import dev.sluice.internal.config.source.ConfigLocation;
import dev.sluice.internal.config.status.RefusalLog;
import dev.sluice.internal.config.status.StatusKeeper;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.limiter.endpoint.Phases;
import dev.sluice.internal.match.caller.CountedValue;
import dev.sluice.internal.store.operated.StoredOverride;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource;
import dev.sluice.limits.ClientSource;
import dev.sluice.limits.ConfigSource;
import dev.sluice.limits.Explanation;
import dev.sluice.limits.LimiterDiagnostics;
import dev.sluice.limits.LimiterStatus;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Phase;
import dev.sluice.limits.Standing;
import dev.sluice.limits.SubjectSource;
import dev.sluice.traffic.Traffic;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running rate limiter that follows its file. */
public final class Sluice implements RateLimiter, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Sluice.class);

    private final InstantSource clock;
    private final CountingRateLimiter limiter;
    private final LimitsInForce inForce;
    private final StatusKeeper status;
    private final Supplier<@Nullable String> storeWarning;
    private final TrafficOnDemand traffic;
    private final RefusalLog refusals;
    private final BackgroundTasks tasks;
    private final AtomicBoolean closed = new AtomicBoolean();

    private final Map<Phase, RateLimiter> inPhases;
    private final MethodCalls methods;

    private Sluice(Settings settings, OpenedResources opened) {
        LimitsFile file = opened.file();
        clock = settings.clock;
        storeWarning = opened::storeWarning;
        status = new StatusKeeper(settings.clock, settings.server, opened.storeName(), storeWarning, file.name());
        List<RateLimitListener> all = new ArrayList<>(settings.listeners);
        all.add(0, status);
        GuardedListeners listeners = opened.extensions().guarded(all);
        traffic = new TrafficOnDemand(listeners, settings.clock, settings.clock == Settings.SYSTEM, this::nameOf);
        traffic.giveTo(settings.listeners); // may start a thread, so it comes after whatever may fail
        LoadSignal load = settings.load == null ? null : opened.extensions().guarded(settings.load);
        limiter = new CountingRateLimiter(
                file.limits(), settings.clock, listeners, opened.store(), opened.instance(), load);
        CountersOfCallers.give(settings.listeners, limiter);
        inPhases = InPhase.all(this, limiter);
        inForce = new LimitsInForce(LOG, file, opened.leadsToOtherStore(), limiter::replace, listeners);
        methods = new MethodCalls(LOG, limiter, inForce);
        refusals =
                new RefusalLog(LoggerFactory.getLogger("dev.sluice.refusals"), inForce::refusalInterval, this::nameOf);
        listeners.add(refusals);
        refusals.follow();
        tasks = new BackgroundTasks(LOG, settings, opened, inForce, listeners, limiter, this::nameOf);
        LOG.info("{} is in force: {}", file.name(), file.summary());
    }

    /**
     * Starts a limiter with the file at this location: a path, or {@code classpath:} and the name of a resource.
     *
     * @throws LimitsException with all problems of the file
     * @throws StoreException if the store does not answer and the file requires it at the start
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

    @Override
    public CompletionStage<Decision> decideAsync(Call call, Executor executor) {
        return limiter.decideAsync(call, executor);
    }

    @Override
    public Decision decideOn(String name, Call call) {
        return methods.decide(name, call);
    }

    @Override
    public CompletionStage<Decision> decideOnAsync(String name, Call call, Executor executor) {
        return methods.decideAsync(name, call, executor);
    }

    /** Whether an endpoint of the file in force is on methods of this name, even if it is not enabled. */
    public boolean hasOn(String name) {
        return inForce.hasOn(name);
    }

    /**
     * This limiter, for a service that asks it twice for a call: each endpoint belongs to one of the phases. Those of one
     * phase decide together; what was counted in the first stays counted if the second refuses the call.
     */
    public RateLimiter in(Phase phase) {
        return phase == Phase.WHOLE ? this : Objects.requireNonNull(inPhases.get(phase));
    }

    /** The Sluice that a limiter is, or is a phase of; {@code null} if it is neither. */
    public static @Nullable Sluice of(@Nullable RateLimiter limiter) {
        if (limiter instanceof InPhase part) {
            return of(part.whole());
        }
        return limiter instanceof Sluice whole ? whole : null;
    }

    /** The clock of the Sluice that a limiter is, or is a phase of; the machine's if it is neither. */
    public static InstantSource clockOf(RateLimiter limiter) {
        Sluice sluice = of(limiter);
        return sluice == null ? Settings.SYSTEM : sluice.clock;
    }

    /** The phase that an endpoint of the file in force belongs to. */
    public Phase phaseOf(Endpoint endpoint) {
        return new Phases(limiter.limits()).of(endpoint);
    }

    @Override
    public ResponseOptions responses() {
        return limiter.responses();
    }

    /** The counters in which this call would be counted, one for each tier that it matches. Counts nothing. */
    public List<Explanation> explain(Call call) {
        return limiter.explain(call);
    }

    /** Who calls most, and who is refused, counted from the first time that this is called. */
    public Traffic traffic() {
        return traffic.get();
    }

    /**
     * What people call the client that is counted by this subject; {@code null} if it has no name.
     *
     * @param subject one of {@link Decision#subjects}
     */
    public @Nullable String nameOf(Subject subject) {
        return limiter.limits().plans().nameOf(subject);
    }

    /** The limits in force, with the overrides. */
    public Limits limits() {
        return limiter.limits();
    }

    /** The state of this limiter now: which limits are in force, whether its store answers. */
    public LimiterStatus status() {
        return status.status(limiter.limits(), inForce.notes());
    }

    /** How often the log says who is refused, according to the file in force; zero for never. */
    public Duration refusalInterval() {
        return inForce.refusalInterval();
    }

    /**
     * Sets a limit of one client, or its factor at all endpoints, outside the file: in the store, for all instances, or in
     * this process if it counts alone. It is in force within {@link #refreshInterval()}. The client is {@link #counted}.
     *
     * @param lasts for how long; zero for as long as nobody removes it
     * @param by who sets it; empty if unknown
     * @param why the reason; empty if there is none
     * @throws IllegalArgumentException if it would change nothing
     * @throws IllegalStateException if overrides come from the application, or the limiter is closed
     */
    public CompletionStage<Boolean> setLimit(ClientOverride limit, Duration lasts, String by, String why) {
        ClientOverride counted = counted(limit);
        String problem = inForce.problemWith(counted);
        if (!problem.isEmpty()) {
            throw new IllegalArgumentException(problem);
        }
        return tasks.overrides().store().set(counted, new StoredOverride.Note(lasts, by, why));
    }

    /** Removes such a limit; returns whether there was one. Who removes it and why, and what is thrown, are as above. */
    public CompletionStage<Boolean> unsetLimit(ClientOverride limit, String by, String why) {
        return tasks.overrides().store().unset(counted(limit), new StoredOverride.Note(Duration.ZERO, by, why));
    }

    /**
     * What was set and removed in 90 days, the latest first, up to 10,000 changes; nothing if the application keeps overrides.
     */
    public CompletionStage<List<OverrideChange>> limitHistory() {
        return tasks.overrides()
                .history()
                .thenApply(all -> all.stream().map(StoredOverride::asChange).toList());
    }

    /**
     * The same limit, of the client as it is counted and stored: by its key if it is named, by its hash if that is secret.
     *
     * @throws IllegalArgumentException if several keys have the name
     */
    public ClientOverride counted(ClientOverride limit) {
        List<SubjectSource> chain = limits().subjects().getOrDefault(limit.subject(), List.of());
        String key = limits().keyOf(limit.subject(), limit.value());
        String value = CountedValue.isClearSecret(chain, key) ? CountedValue.of(chain, key) : key;
        return new ClientOverride(limit.subject(), value, limit.endpoint(), limit.tiers());
    }

    /** The callers who are blocked now, as far as this instance knows, those first whose block ends last. */
    public List<Block> blocks() {
        return limiter.blocks().underWay(limiter.nowMillis());
    }

    /**
     * Ends the block of a caller, on all instances within a second. The next one is the first again.
     *
     * @param key of a block
     * @return whether the caller was blocked
     */
    public CompletionStage<Boolean> unblock(CounterKey key) {
        return tasks.unblock(key);
    }

    /** The longest time until an override that was set is in force. */
    public Duration refreshInterval() {
        return inForce.refreshInterval();
    }

    /**
     * The state of a caller in each limit that counts it in this process. Counts nothing. It looks at all counters, which
     * takes some milliseconds if there are very many: do not ask for each call.
     *
     * @param caller the caller's subjects, as in {@link Decision#subjects}
     */
    public List<Standing> standings(List<Subject> caller) {
        return limiter.standings(caller);
    }

    /**
     * What this instance knows of its shared counters and waits for, with the accounts that are due first. So an operator
     * sees why a call waits, and what happens next:
     *
     * <pre>{@code
     * LimiterDiagnostics now = sluice.diagnostics();
     * if (now.background() != null && now.background().callsWaiting() > 0) {
     *     log.info("calls wait; {}, first due: {}", now.background(), now.accounts());
     * }
     * }</pre>
     *
     * <p>The background answers when it looks next, in most cases at once; after a second the answer says that it is
     * stuck. For any thread, but not for each call.
     */
    public LimiterDiagnostics diagnostics() {
        return limiter.diagnostics().withStoreWarning(storeWarning.get());
    }

    /**
     * The same with the accounts of a caller, up to a thousand, in place of those that are due first. It looks at all
     * accounts, which takes some milliseconds if there are very many.
     *
     * @param caller subjects that the counters have, as in {@link Decision#subjects}; they may have further ones
     */
    public LimiterDiagnostics diagnostics(List<Subject> caller) {
        return limiter.diagnostics(caller).withStoreWarning(storeWarning.get());
    }

    /**
     * Stops following the file, and returns what is held of shared limits. Calls are still decided, as if the store were
     * away. A second call has no effect.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        tasks.close();
        limiter.close();
        refusals.close();
        traffic.close();
    }

    /** Settings for a limiter; each has a default. */
    public static final class Builder {

        private final Settings settings = new Settings();

        private Builder() {}

        /** The file: a path, or {@code classpath:} and the name of a resource; {@code rate-limits.yml} by default. */
        public Builder config(String location) {
            return config(ConfigLocation.source(location));
        }

        public Builder config(ConfigSource source) {
            settings.source = source;
            return this;
        }

        /** Registers a source of subjects that the file may use by this name. */
        public Builder resolver(String name, SubjectResolver resolver) {
            settings.resolvers.put(name, resolver);
            return this;
        }

        /**
         * Registers a {@code cost} that the file may use by this name.
         *
         * @throws IllegalArgumentException if the name means something else in {@code cost}: a number, {@code charged},
         *     or a word with a colon
         */
        public Builder costResolver(String name, CostResolver resolver) {
            if (!CostShape.isName(name)) {
                throw new IllegalArgumentException(
                        "a CostResolver cannot be named \"" + name + "\"; choose a word, such as by-size");
            }
            settings.costs.put(name, resolver);
            return this;
        }

        /** Registers a source of clients that the file may use by this name. Closed with the limiter. */
        public Builder clientSource(String name, ClientSource source) {
            settings.clientSources.put(name, source);
            return this;
        }

        /** Adds a listener. Listeners are called in the order in which they were added. */
        public Builder listener(RateLimitListener listener) {
            settings.listeners.add(listener);
            return this;
        }

        /** The URI of the store, which comes before that of the file. */
        public Builder store(String uri) {
            settings.storeUri = uri;
            settings.store = null;
            return this;
        }

        /** A store of the application's own. Closed with the limiter. */
        public Builder store(CounterStore ownStore) {
            settings.store = ownStore;
            return this;
        }

        /** The URI of the store if neither code nor file names one; asked only then. {@code null} to count alone. */
        public Builder defaultStore(Supplier<@Nullable String> uri) {
            settings.defaultStore = uri;
            return this;
        }

        /**
         * The load of this instance, for elastic tiers; measured from its processors and its calls under way by default.
         */
        public Builder loadSignal(LoadSignal signal) {
            settings.load = signal;
            return this;
        }

        /**
         * Where overrides come from; from the store by default, if it keeps them. Closed with the limiter.
         */
        public Builder overrideSource(ClientOverrideSource source) {
            settings.overrideSource = source;
            return this;
        }

        public Builder clock(InstantSource clock) {
            settings.clock = clock;
            return this;
        }

        /** The name of this instance, which the source {@code server} yields; no other instance may have the same. */
        public Builder server(String instanceName) {
            settings.server = instanceName;
            return this;
        }

        /**
         * Reads the file and starts the limiter.
         *
         * @throws LimitsException with all problems of the file
         * @throws StoreException if the store does not answer and the file requires it at the start
         */
        public Sluice open() {
            return new Sluice(settings, OpenedResources.open(settings, LOG));
        }
    }
}
