package dev.sluice.open;

import dev.sluice.Block;
import dev.sluice.Call;
import dev.sluice.CostResolver;
import dev.sluice.CounterKey;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.LimitsException;
import dev.sluice.LoadSignal;
import dev.sluice.OverrideChange;
import dev.sluice.Phase;
import dev.sluice.RateLimitListener;
import dev.sluice.RateLimiter;
import dev.sluice.ResponseOptions;
import dev.sluice.Subject;
import dev.sluice.SubjectResolver;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.config.extension.GuardedListeners;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.config.keys.CostShape;
import dev.sluice.internal.config.source.ConfigLocation;
import dev.sluice.internal.instance.CountersOfCallers;
import dev.sluice.internal.instance.MethodCalls;
import dev.sluice.internal.instance.reload.LimitsInForce;
import dev.sluice.internal.instance.status.RefusalLog;
import dev.sluice.internal.instance.status.StatusKeeper;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.limiter.endpoint.Phases;
import dev.sluice.internal.match.caller.SubjectKey;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.internal.store.admin.StoredOverride.Note;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource;
import dev.sluice.limits.ClientSource;
import dev.sluice.limits.ConfigSource;
import dev.sluice.limits.Explanation;
import dev.sluice.limits.LimiterDiagnostics;
import dev.sluice.limits.LimiterStatus;
import dev.sluice.limits.Limits;
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

/**
 * A rate limiter that reads its limits from a file and follows the file: an application opens one, asks it for each
 * call, and closes it when it stops.
 *
 * <pre>{@code
 * try (Sluice limiter = Sluice.open("rate-limits.yml")) {
 *     Decision decision = limiter.decide(call).inTurn();
 *     if (!decision.admitted()) {
 *         return tooManyRequests(decision.retryAfterSeconds());
 *     }
 *     int status = 500;
 *     try {
 *         status = serve(call);
 *     } finally {
 *         decision.ended(status);
 *     }
 * }
 * }</pre>
 *
 * <p>With settings in code, such as a source of subjects that the file calls {@code user}:
 *
 * <pre>{@code
 * Sluice limiter = Sluice.builder()
 *         .config("classpath:rate-limits.yml")
 *         .resolver("user", call -> call.header("X-User"))
 *         .open();
 * }</pre>
 *
 * <p>Most applications need neither: the servlet filter and the Spring Boot starter open a limiter, and ask it for each
 * request.
 *
 * <p>A change of the file takes effect within seconds and without a restart. If the changed file has mistakes, the log
 * shows them and the limits in force stay.
 *
 * <p>Thread-safe. {@link RateLimiter} says when a decision waits for the store. Unless stated otherwise, no argument
 * may be {@code null}, and no method returns {@code null}.
 */
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
        LoadSignal load = settings.load == null ? null : opened.extensions().guarded(settings.load);
        limiter = new CountingRateLimiter(
                file.limits(), settings.clock, listeners, opened.store(), opened.instance(), load);
        traffic = new TrafficOnDemand(
                listeners, settings.clock, settings.clock == Settings.SYSTEM, this::nameOf, limiter.background());
        traffic.giveTo(settings.listeners);
        CountersOfCallers.give(settings.listeners, limiter);
        inPhases = InPhase.all(this, limiter);
        inForce = new LimitsInForce(LOG, file, opened.leadsToOtherStore(), limiter::replace, listeners);
        methods = new MethodCalls(LOG, limiter, inForce);
        refusals =
                new RefusalLog(LoggerFactory.getLogger("dev.sluice.refusals"), inForce::refusalInterval, this::nameOf);
        listeners.add(refusals);
        refusals.follow();
        tasks = new BackgroundTasks(LOG, settings, opened, inForce, listeners, limiter, this::nameOf);
        LOG.info("{} is in force: {}", file.name(), file.summary("; calls count " + status().place()));
    }

    /**
     * Opens a limiter with the file at this location and default settings.
     *
     * @param location a path, or {@code classpath:} and the name of a resource
     * @throws LimitsException if the file is missing or has mistakes; it lists all of them
     * @throws StoreException if the file requires the store at the start ({@code store.onStart}) and it does not answer
     */
    public static Sluice open(String location) {
        return builder().config(location).open();
    }

    /** Starts with default settings; {@link Builder#open} then opens the limiter. */
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

    /** Whether the file in force has an endpoint with {@code on} and this name, enabled or not. */
    public boolean hasOn(String name) {
        return inForce.hasOn(name);
    }

    /**
     * This limiter in one phase, for a service that asks once before and once after authentication. Each endpoint
     * belongs to one phase. The endpoints of a phase decide together; calls that the first phase has counted stay
     * counted if the second refuses them.
     */
    public RateLimiter in(Phase phase) {
        return phase == Phase.WHOLE ? this : Objects.requireNonNull(inPhases.get(phase));
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

    /** The phase that decides calls for an endpoint of the file in force. */
    public Phase phaseOf(Endpoint endpoint) {
        return new Phases(limiter.limits()).of(endpoint);
    }

    @Override
    public ResponseOptions responses() {
        return limiter.responses();
    }

    /** Explains which counters would count this call, one for each tier that it matches. Counts nothing. */
    public List<Explanation> explain(Call call) {
        return limiter.explain(call);
    }

    /** The busiest callers, and those that were refused. Counting starts with the first call of this method. */
    public Traffic traffic() {
        return traffic.get();
    }

    /**
     * The display name of the client with this subject; {@code null} if it has none.
     *
     * @param subject one of {@link Decision#subjects}
     */
    public @Nullable String nameOf(Subject subject) {
        return limiter.limits().plans().nameOf(subject);
    }

    /** The limits in force: those of the file with the overrides applied. An immutable snapshot. */
    public Limits limits() {
        return limiter.limits();
    }

    /** The current state of this limiter: which limits are in force, and whether the store answers. */
    public LimiterStatus status() {
        return status.status(limiter.limits(), inForce.notes());
    }

    /** How often the log shows which callers are refused ({@code log.refusals} of the file); zero for never. */
    public Duration refusalInterval() {
        return inForce.refusalInterval();
    }

    /**
     * Sets a limit of one client, or of all clients with one plan ({@link ClientOverride#ofPlan}), without changing the
     * file: at one endpoint, or a factor for all. It is saved in the
     * store and takes effect on all instances within {@link #refreshInterval()}; a limiter without a store keeps it in
     * this process. The client is stored as {@link #withKey} says.
     *
     * @param lasts how long the limit applies; zero until somebody removes it
     * @param by the operator who sets it; empty if unknown
     * @param why the reason; empty if there is none
     * @return whether the limit changed; fails with a {@link StoreException} if the store does not answer
     * @throws IllegalArgumentException if the limit cannot be used with the file; the message says why
     * @throws IllegalStateException if overrides come from the application, or the limiter is closed
     */
    public CompletionStage<Boolean> setLimit(ClientOverride limit, Duration lasts, String by, String why) {
        ClientOverride stored = withKey(limit);
        String problem = inForce.problemWith(stored);
        if (!problem.isEmpty()) {
            throw new IllegalArgumentException(problem);
        }
        return tasks.overrides().store().set(stored, new StoredOverride.Note(lasts, by, why));
    }

    /**
     * Removes a limit that {@link #setLimit} has set.
     *
     * @param by the operator who removes it; empty if unknown
     * @param why the reason; empty if there is none
     * @return whether there was such a limit; fails with a {@link StoreException} if the store does not answer
     * @throws IllegalStateException if overrides come from the application, or the limiter is closed
     */
    public CompletionStage<Boolean> unsetLimit(ClientOverride limit, String by, String why) {
        return tasks.overrides().store().unset(withKey(limit), new StoredOverride.Note(Duration.ZERO, by, why));
    }

    /**
     * The overrides that were set and removed in the last 90 days, newest first, at most 10,000. Empty if overrides
     * come from the application.
     */
    public CompletionStage<List<OverrideChange>> limitHistory() {
        return tasks.overrides()
                .history()
                .thenApply(all -> all.stream().map(StoredOverride::asChange).toList());
    }

    /**
     * The same limit with the client as counters and the store know it: a display name becomes the client's key, and a
     * secret key becomes its hash.
     *
     * @throws IllegalArgumentException if several clients have the name
     */
    public ClientOverride withKey(ClientOverride limit) {
        List<SubjectSource> chain = limits().subjects().getOrDefault(limit.subject(), List.of());
        String key = limits().keyOf(limit.subject(), limit.value());
        boolean isNamed = limits().named(limit.value()).stream() // then nobody has typed the key, which may be a secret
                .anyMatch(one -> one.source().isEmpty()
                        && one.name().equals(limit.subject())
                        && one.value().equals(key));
        String value = isNamed || SubjectKey.isClearSecret(chain, key) ? SubjectKey.of(chain, key) : key;
        return new ClientOverride(limit.subject(), value, limit.endpoint(), limit.tiers());
    }

    /** The callers that are blocked now, as far as this instance knows. The block that ends last comes first. */
    public List<Block> blocks() {
        return limiter.blocks().inForce(limiter.nowMillis());
    }

    /**
     * Ends the block of a caller, on all instances within a second. If the caller is blocked again, the block is as
     * long as a first one.
     *
     * @param key the key of a block in {@link #blocks}
     * @return whether the caller was blocked
     */
    public CompletionStage<Boolean> unblock(CounterKey key) {
        return tasks.unblock(key);
    }

    /**
     * Gives a client more calls: in the present window of each tier of an endpoint, so many may pass beyond the limit.
     * All instances learn of it, and show the higher limit. A bucket is filled with so many tokens, but never beyond
     * full; a sliding log no longer counts as many of its latest calls. What instances hold for further calls stays
     * theirs.
     *
     * @param client the client and the endpoint, or {@link ClientOverride#ALL_ENDPOINTS} for all that count by this
     *     subject alone; the tiers do not matter
     * @param calls how many, in each tier and of each method that counts separately; at least 1
     * @param by who gives; empty if unknown
     * @param why the reason, for the history; empty if there is none
     * @return how many calls were given, by their counter; fails with a {@link StoreException} if the store does not
     *     answer
     * @throws IllegalArgumentException if there is no such endpoint or subject, the endpoint counts by other subjects
     *     too or only limits calls in flight; the message says what to do
     * @throws IllegalStateException if the limiter counts in no store that can do so, or is closed
     */
    public CompletionStage<Map<CounterKey, Long>> give(ClientOverride client, long calls, String by, String why) {
        if (calls < 1) {
            throw new IllegalArgumentException("cannot give " + calls + " calls; give at least 1");
        }
        return new GivenCalls(limiter, tasks).give(withKey(client), calls, new Note(Duration.ZERO, by, why));
    }

    /**
     * Gives a client what the store counts as used now in its present windows. Otherwise like {@link #give}.
     */
    public CompletionStage<Map<CounterKey, Long>> reset(ClientOverride client, String by, String why) {
        return new GivenCalls(limiter, tasks).reset(withKey(client), new Note(Duration.ZERO, by, why));
    }

    /** The longest time until an override takes effect ({@code limits.refresh} of the file). */
    public Duration refreshInterval() {
        return inForce.refreshInterval();
    }

    /**
     * The caller's state in each limit that has counted it in this process. Counts nothing. It looks at all counters,
     * which can take milliseconds, so do not use it for each call.
     *
     * @param caller the caller's subjects, as in {@link Decision#subjects}
     */
    public List<Standing> standings(List<Subject> caller) {
        return limiter.standings(caller);
    }

    /**
     * What this instance knows about its shared counters, and what it waits for, with the accounts that are due first.
     * It shows an operator why calls wait and what happens next:
     *
     * <pre>{@code
     * LimiterDiagnostics now = sluice.diagnostics();
     * if (now.background() != null && now.background().callsInLine() > 0) {
     *     log.info("calls wait; {}, first due: {}", now.background(), now.accounts());
     * }
     * }</pre>
     *
     * <p>Waits for the background thread, usually for a moment and at most a second; after that, the answer says that
     * the thread is stuck. Do not use it for each call.
     */
    public LimiterDiagnostics diagnostics() {
        return limiter.diagnostics().withStoreWarning(storeWarning.get());
    }

    /**
     * Like {@link #diagnostics()}, but with the accounts of one caller, at most a thousand. It looks at all accounts,
     * which can take milliseconds, and asks the store which instances are unresponsive, which can take another second.
     *
     * @param caller subjects that the counters must have, as in {@link Decision#subjects}; they may have others too
     */
    public LimiterDiagnostics diagnostics(List<Subject> caller) {
        LimiterDiagnostics known = limiter.diagnostics(caller).withStoreWarning(storeWarning.get());
        return tasks.unresponsive().addTo(known, limiter.standings(caller), limiter.nowMillis());
    }

    /**
     * Stops following the file, and returns unused permits to the store. The limiter still decides calls, as it does
     * when the store is unavailable. Closing twice has no effect.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        tasks.close();
        traffic.close();
        limiter.close();
        refusals.close();
    }

    /**
     * Settings for a limiter. Each has a default. A second call of a method replaces what the first has set; only
     * listeners, resolvers and sources of clients add up. Not thread-safe. No argument may be {@code null}.
     */
    public static final class Builder {

        private final Settings settings = new Settings();

        private Builder() {}

        /**
         * The location of the file: a path, or {@code classpath:} and the name of a resource. Default:
         * {@code rate-limits.yml} in the working directory.
         */
        public Builder config(String location) {
            return config(ConfigLocation.source(location));
        }

        /**
         * A source of the file's content, in place of a location: for limits that are kept in a database, for example.
         */
        public Builder config(ConfigSource source) {
            settings.source = source;
            return this;
        }

        /** Registers a source of subjects, which the file uses by this name, as in {@code per: [ name ]}. */
        public Builder resolver(String name, SubjectResolver resolver) {
            settings.resolvers.put(name, resolver);
            return this;
        }

        /**
         * Registers a way to compute the cost of a call, which the file uses by this name, as in {@code cost: by-size}.
         *
         * @throws IllegalArgumentException if the name has another meaning in {@code cost}: a number, {@code charged},
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

        /**
         * Registers a source of clients and their plans, which the file uses by this name, as in {@code clients: {
         * from: name }}. The limiter closes it.
         */
        public Builder clientSource(String name, ClientSource source) {
            settings.clientSources.put(name, source);
            return this;
        }

        /** Adds a listener. The limiter calls listeners in the order in which they were added. */
        public Builder listener(RateLimitListener listener) {
            settings.listeners.add(listener);
            return this;
        }

        /**
         * The URI of the store, such as {@code redis://localhost:6379}; it takes precedence over {@code store.uri} of
         * the file.
         */
        public Builder store(String uri) {
            settings.storeUri = uri;
            settings.store = null;
            return this;
        }

        /** The application's own store, in place of a URI. The limiter closes it. */
        public Builder store(CounterStore ownStore) {
            settings.store = ownStore;
            return this;
        }

        /**
         * Supplies the URI of the store if neither code nor the file names one. It is called only then, and may return
         * {@code null} to count in this process alone.
         */
        public Builder defaultStore(Supplier<@Nullable String> uri) {
            settings.defaultStore = uri;
            return this;
        }

        /**
         * The load of this instance, for tiers with {@code elastic}. Default: measured from CPU load and the
         * calls in flight.
         */
        public Builder loadSignal(LoadSignal signal) {
            settings.load = signal;
            return this;
        }

        /** The source of overrides, in place of the store. The limiter closes it. */
        public Builder overrideSource(ClientOverrideSource source) {
            settings.overrideSource = source;
            return this;
        }

        /** The clock that windows and periods follow, for tests. Default: the clock of the machine. */
        public Builder clock(InstantSource clock) {
            settings.clock = clock;
            return this;
        }

        /**
         * The name of this instance in reports, and the value of the source {@code server}. It must be unique among the
         * instances. Default: the host's name and random digits.
         */
        public Builder server(String instanceName) {
            settings.server = instanceName;
            return this;
        }

        /**
         * Reads the file, opens the store and starts the limiter.
         *
         * @throws LimitsException if the file is missing or has mistakes; it lists all of them
         * @throws StoreException if the file requires the store at the start ({@code store.onStart}) and it does not
         *     answer
         */
        public Sluice open() {
            return new Sluice(settings, OpenedResources.open(settings, LOG));
        }
    }
}
