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
 * A rate limiter that reads its limits from a file and follows changes to it. An application opens one limiter,
 * consults it for each call, and closes it on shutdown.
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
 * <p>A builder accepts settings in code, such as a resolver for a subject source that the file calls {@code user}:
 *
 * <pre>{@code
 * Sluice limiter = Sluice.builder()
 *         .config("classpath:rate-limits.yml")
 *         .resolver("user", call -> call.header("X-User"))
 *         .open();
 * }</pre>
 *
 * <p>Most applications do not need to open a limiter themselves, because the servlet filter and the Spring Boot starter
 * open one and consult it for each request.
 *
 * <p>Changes to the file take effect within seconds and without a restart. If the changed file contains mistakes, the
 * limiter logs them and keeps the current limits in force.
 *
 * <p>Thread-safe. {@link RateLimiter} explains when a decision waits for the store. Unless stated otherwise, arguments
 * must not be {@code null}, and methods never return {@code null}.
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
     * @param location a path, or {@code classpath:} followed by a resource name
     * @throws LimitsException if the file is missing or contains mistakes; the exception lists all of them
     * @throws StoreException if the file requires the store at startup ({@code store.onStart}) and the store does not
     *     respond
     */
    public static Sluice open(String location) {
        return builder().config(location).open();
    }

    /** Returns a builder with default settings. Call {@link Builder#open} to open the limiter. */
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

    /**
     * Whether the file in force contains an endpoint whose {@code on} is this name, even if the endpoint is disabled.
     */
    public boolean hasOn(String name) {
        return inForce.hasOn(name);
    }

    /**
     * Returns a view of this limiter that applies only the endpoints of one phase. The view is meant for a service that
     * consults the limiter once before and once after authentication. Each endpoint belongs to one phase, and the
     * endpoints of a phase decide together. If the second phase refuses a call that the first phase has counted, the
     * call remains counted there.
     */
    public RateLimiter in(Phase phase) {
        return phase == Phase.WHOLE ? this : Objects.requireNonNull(inPhases.get(phase));
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

    /** Returns the phase that decides calls for an endpoint of the file in force. */
    public Phase phaseOf(Endpoint endpoint) {
        return new Phases(limiter.limits()).of(endpoint);
    }

    @Override
    public ResponseOptions responses() {
        return limiter.responses();
    }

    /**
     * Explains which counters would count this call. The result contains one explanation for each matching tier. Counts
     * nothing.
     */
    public List<Explanation> explain(Call call) {
        return limiter.explain(call);
    }

    /**
     * Returns the traffic of the busiest callers and of the refused callers. Counting starts with the first call of
     * this method.
     */
    public Traffic traffic() {
        return traffic.get();
    }

    /**
     * Returns the display name of the client that this subject identifies; {@code null} if it has none.
     *
     * @param subject one of {@link Decision#subjects}
     */
    public @Nullable String nameOf(Subject subject) {
        return limiter.limits().plans().nameOf(subject);
    }

    /**
     * Returns the limits in force, which are the limits from the file with the overrides applied. An immutable
     * snapshot.
     */
    public Limits limits() {
        return limiter.limits();
    }

    /** Returns the current state of this limiter, such as which limits are in force and whether the store responds. */
    public LimiterStatus status() {
        return status.status(limiter.limits(), inForce.notes());
    }

    /**
     * Returns the interval at which refused callers are logged ({@code log.refusals} in the file); zero if they are not
     * logged.
     */
    public Duration refusalInterval() {
        return inForce.refusalInterval();
    }

    /**
     * Sets a limit for one client, or for all clients on one plan ({@link ClientOverride#ofPlan}), without changing the
     * file. The limit applies to one endpoint, or is a factor for all endpoints. It is saved in the store and takes
     * effect on all instances within {@link #refreshInterval()}. If the limiter has no store, the limit is saved in the
     * memory of this process. {@link #withKey} explains how the store identifies the client.
     *
     * @param lasts how long the limit applies; zero if it applies until it is removed
     * @param by the operator who sets the limit; empty if unknown
     * @param why the reason; empty if none is given
     * @return a stage that completes with whether the limit has changed. It fails with a {@link StoreException} if the
     *     store does not respond
     * @throws IllegalArgumentException if the limit cannot be combined with the file; the message explains why
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
     * Removes a limit that was set with {@link #setLimit}.
     *
     * @param by the operator who removes the limit; empty if unknown
     * @param why the reason; empty if none is given
     * @return a stage that completes with whether there was such a limit. It fails with a {@link StoreException} if the
     *     store does not respond
     * @throws IllegalStateException if overrides come from the application, or the limiter is closed
     */
    public CompletionStage<Boolean> unsetLimit(ClientOverride limit, String by, String why) {
        return tasks.overrides().store().unset(withKey(limit), new StoredOverride.Note(Duration.ZERO, by, why));
    }

    /**
     * Returns the overrides that were set or removed in the last 90 days, and the calls that were given with
     * {@link #give} or {@link #reset}, newest first. The list contains at most 10,000 changes. It is empty if overrides
     * come from the application.
     */
    public CompletionStage<List<OverrideChange>> limitHistory() {
        return tasks.overrides()
                .history()
                .thenApply(all -> all.stream().map(StoredOverride::asChange).toList());
    }

    /**
     * Returns the same limit, but identifies the client in the same way as counters and the store do. A display name is
     * replaced by the client's key, and a secret key by its hash.
     *
     * @throws IllegalArgumentException if several clients have this name
     */
    public ClientOverride withKey(ClientOverride limit) {
        List<SubjectSource> chain = limits().subjects().getOrDefault(limit.subject(), List.of());
        String key = limits().keyOf(limit.subject(), limit.value());
        boolean isNamed = limits().named(limit.value()).stream() // a user typed a display name, not a secret key
                .anyMatch(one -> one.source().isEmpty()
                        && one.name().equals(limit.subject())
                        && one.value().equals(key));
        String value = isNamed || SubjectKey.isClearSecret(chain, key) ? SubjectKey.of(chain, key) : key;
        return new ClientOverride(limit.subject(), value, limit.endpoint(), limit.tiers());
    }

    /**
     * Returns the callers that, as far as this instance knows, are currently blocked. The block that ends last comes
     * first.
     */
    public List<Block> blocks() {
        return limiter.blocks().inForce(limiter.nowMillis());
    }

    /**
     * Ends the block of a caller on all instances within a second. If the caller is blocked again later, the new block
     * has the duration of a first block.
     *
     * @param key the key of one of the {@link #blocks}
     * @return a stage that completes with whether the caller was blocked
     */
    public CompletionStage<Boolean> unblock(CounterKey key) {
        return tasks.unblock(key);
    }

    /**
     * Gives a client more calls. In the current window of each tier, this number of calls can pass beyond the limit.
     * All instances apply and report the higher limit. A bucket gains this number of tokens, but never exceeds its
     * capacity. A sliding log forgets this number of its latest calls. Instances keep the permits that they have in
     * hand.
     *
     * @param client the client and the endpoint, or {@link ClientOverride#ALL_ENDPOINTS} for all endpoints that are
     *     keyed by this subject alone. The tiers are ignored
     * @param calls the number of calls to add in each tier, and for each method that counts separately; at least 1
     * @param by the operator who gives the calls; empty if unknown
     * @param why the reason, for the history; empty if none is given
     * @return a stage that completes with the number of added calls by counter. It fails with a {@link StoreException}
     *     if the store does not respond
     * @throws IllegalArgumentException if the endpoint or the subject does not exist, if the endpoint is also keyed by
     *     other subjects, or if it limits only calls in flight. The message explains what to do
     * @throws IllegalStateException if the limiter does not count in a store that supports this, or is closed
     */
    public CompletionStage<Map<CounterKey, Long>> give(ClientOverride client, long calls, String by, String why) {
        if (calls < 1) {
            throw new IllegalArgumentException("cannot give " + calls + " calls; give at least 1");
        }
        return new GivenCalls(limiter, tasks).give(withKey(client), calls, new Note(Duration.ZERO, by, why));
    }

    /**
     * Gives a client as many calls as the store currently counts as used in the client's current windows. The permits
     * that instances hold are not included, and neither are those that they held when they became unresponsive, because
     * calls might have used these permits. Apart from that, this method works like {@link #give}.
     */
    public CompletionStage<Map<CounterKey, Long>> reset(ClientOverride client, String by, String why) {
        return new GivenCalls(limiter, tasks).reset(withKey(client), new Note(Duration.ZERO, by, why));
    }

    /** Returns the maximum time until an override takes effect ({@code limits.refresh} in the file). */
    public Duration refreshInterval() {
        return inForce.refreshInterval();
    }

    /**
     * Returns the caller's standing in each limit that has counted the caller in this process. Counts nothing. Do not
     * use this method for each call: it scans all counters, which can take milliseconds.
     *
     * @param caller the caller's subjects, as in {@link Decision#subjects}
     */
    public List<Standing> standings(List<Subject> caller) {
        return limiter.standings(caller);
    }

    /**
     * Returns what this instance knows about its shared counters, and what it is waiting for. The list contains the
     * accounts that are due first. The diagnostics show operators why calls are waiting, and what happens next:
     *
     * <pre>{@code
     * LimiterDiagnostics now = sluice.diagnostics();
     * if (now.background() != null && now.background().callsInLine() > 0) {
     *     log.info("calls wait; {}, first due: {}", now.background(), now.accounts());
     * }
     * }</pre>
     *
     * <p>Waits for the background thread, usually for a moment. If the thread does not respond within a second, the
     * result reports the thread as stuck. Do not use this method for each call.
     */
    public LimiterDiagnostics diagnostics() {
        return limiter.diagnostics().withStoreWarning(storeWarning.get());
    }

    /**
     * Returns the same information as {@link #diagnostics()}, but with the accounts of one caller. The list contains at
     * most a thousand accounts. This method scans all accounts, which can take milliseconds. It also queries the store
     * for unresponsive instances, which can take up to a second more.
     *
     * @param caller the subjects that a counter must include, as in {@link Decision#subjects}. A counter can also
     *     include other subjects
     */
    public LimiterDiagnostics diagnostics(List<Subject> caller) {
        LimiterDiagnostics known = limiter.diagnostics(caller).withStoreWarning(storeWarning.get());
        return tasks.unresponsive().addTo(known, limiter.standings(caller), limiter.nowMillis());
    }

    /**
     * Stops following the file, and returns unused permits to the store. A closed limiter still decides calls, but does
     * so as if the store were unavailable. Closing it again has no effect.
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
     * Settings for a limiter. Each setting has a default. Calling a method again replaces the previous value, except
     * that listeners, resolvers and client sources accumulate. Not thread-safe. Arguments must not be {@code null}.
     */
    public static final class Builder {

        private final Settings settings = new Settings();

        private Builder() {}

        /**
         * Sets the location of the file: a path, or {@code classpath:} followed by a resource name. Default:
         * {@code rate-limits.yml} in the working directory.
         */
        public Builder config(String location) {
            return config(ConfigLocation.source(location));
        }

        /**
         * Sets a source for the file's content, instead of a location. Use it, for example, if the limits are stored in
         * a database.
         */
        public Builder config(ConfigSource source) {
            settings.source = source;
            return this;
        }

        /** Registers a subject source. The file refers to it by this name, as in {@code per: [ name ]}. */
        public Builder resolver(String name, SubjectResolver resolver) {
            settings.resolvers.put(name, resolver);
            return this;
        }

        /**
         * Registers a way to compute the cost of a call. The file refers to it by this name, as in {@code cost:
         * by-size}.
         *
         * @throws IllegalArgumentException if the name already has a meaning in {@code cost}, because it is a number,
         *     {@code charged}, or a word with a colon
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
         * Registers a source of clients and their plans. The file refers to the source by this name, as in {@code
         * clients: { from: name }}. The limiter closes the source.
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
         * Sets the URI of the store, such as {@code redis://localhost:6379}. It takes precedence over {@code store.uri}
         * in the file.
         */
        public Builder store(String uri) {
            settings.storeUri = uri;
            settings.store = null;
            return this;
        }

        /** Sets the application's own store. It replaces any store URI. The limiter closes this store. */
        public Builder store(CounterStore ownStore) {
            settings.store = ownStore;
            return this;
        }

        /**
         * Sets a supplier of the store URI. It is called only if neither code nor the file specifies a store. If it
         * returns {@code null}, the limiter counts in this process alone.
         */
        public Builder defaultStore(Supplier<@Nullable String> uri) {
            settings.defaultStore = uri;
            return this;
        }

        /**
         * Sets the signal that reports the load of this instance, for tiers with {@code elastic}. Default: a signal
         * derived from the CPU load and the calls in flight.
         */
        public Builder loadSignal(LoadSignal signal) {
            settings.load = signal;
            return this;
        }

        /** Sets the source of overrides. It replaces the overrides in the store. The limiter closes this source. */
        public Builder overrideSource(ClientOverrideSource source) {
            settings.overrideSource = source;
            return this;
        }

        /** Sets the clock for windows and periods. This setting is meant for tests. Default: the system clock. */
        public Builder clock(InstantSource clock) {
            settings.clock = clock;
            return this;
        }

        /**
         * Sets the name of this instance in reports. It is also the value of the {@code server} source. It must be
         * unique among the instances. Default: the host name followed by random digits.
         */
        public Builder server(String instanceName) {
            settings.server = instanceName;
            return this;
        }

        /**
         * Reads the file, opens the store and starts the limiter.
         *
         * @throws LimitsException if the file is missing or contains mistakes; the exception lists all of them
         * @throws StoreException if the file requires the store at startup ({@code store.onStart}) and the store does
         *     not respond
         */
        public Sluice open() {
            return new Sluice(settings, OpenedResources.open(settings, LOG));
        }
    }
}
