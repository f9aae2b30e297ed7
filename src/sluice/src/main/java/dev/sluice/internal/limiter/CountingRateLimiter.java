package dev.sluice.internal.limiter;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.LoadSignal;
import dev.sluice.Phase;
import dev.sluice.RateLimitListener;
import dev.sluice.RateLimiter;
import dev.sluice.ResponseOptions;
import dev.sluice.Subject;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.limiter.block.Blocks;
import dev.sluice.internal.limiter.counter.CounterFamilies;
import dev.sluice.internal.limiter.counter.PendingPolicy;
import dev.sluice.internal.limiter.counter.Sharing;
import dev.sluice.internal.limiter.endpoint.CompiledEndpoints;
import dev.sluice.internal.limiter.endpoint.MatchedEndpoints;
import dev.sluice.internal.limiter.endpoint.NamedCaller;
import dev.sluice.internal.limiter.local.UnsharedCounting;
import dev.sluice.internal.limiter.memory.Counters;
import dev.sluice.internal.limiter.sync.ExchangeLog;
import dev.sluice.internal.limiter.sync.StoreClock;
import dev.sluice.internal.limiter.sync.Synchroniser;
import dev.sluice.internal.limiter.sync.SynchroniserThread;
import dev.sluice.internal.thread.Poller;
import dev.sluice.internal.thread.TaskThread;
import dev.sluice.limits.Explanation;
import dev.sluice.limits.LimiterDiagnostics;
import dev.sluice.limits.LimiterDiagnostics.Background;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Standing;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rate limiter that counts calls. It finds the caller and the applicable endpoints, checks the counters, and counts
 * the call, all in memory. A call that lacks permits of a shared limit can wait for them ({@link Sharing#standInLine}).
 * No lock is held during such a wait or during I/O. Thread-safe.
 */
public final class CountingRateLimiter implements RateLimiter, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.limiter");
    private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(5);
    private static final Duration LOAD_INTERVAL = Duration.ofSeconds(1);
    private static final long LONGEST_LOOK_MILLIS = 1_000;
    private static final int MOST_DESCRIBED = 20;
    private static final int MOST_DESCRIBED_OF_CALLER = 1_000;

    private final RateLimitListener listener;
    private final Sharing sharing;
    private final BoundedPending pending;
    private final Counters counters;
    private final LimiterParts parts;
    private final SingleLimitFastPath fastPath;
    private final TaskThread background = new TaskThread(TaskThread.MEMORY);
    private final MachineLoad load = new MachineLoad();
    private final LoadSignal signal;
    private final CounterFamilies families;
    private final Blocks blocks;
    private final UnknownClients unknownClients = new UnknownClients();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile CompiledEndpoints endpoints;

    /**
     * Opens a limiter that counts only in this process.
     *
     * @param clock the clock to which windows are aligned
     * @param listener the listener that receives the events
     */
    public CountingRateLimiter(Limits limits, InstantSource clock, RateLimitListener listener) {
        this(limits, pending -> new UnsharedCounting(clock, System::nanoTime, pending), listener, null, true);
    }

    /**
     * Opens a limiter. If there is a store, the limiter shares its counters with all other limiters on the same store.
     *
     * @param clock this machine's clock; windows are aligned to the store's clock
     * @param listener the listener that receives the events
     * @param store the store, which is closed with the limiter; {@code null} to count only in this process
     * @param instance the name of this limiter; no other limiter on this store may ever have used that name
     * @param signal the application's measure of load; {@code null} to use the machine's load
     */
    public CountingRateLimiter(
            Limits limits,
            InstantSource clock,
            RateLimitListener listener,
            @Nullable CounterStore store,
            String instance,
            @Nullable LoadSignal signal) {
        this(
                limits,
                pending -> store == null
                        ? new UnsharedCounting(clock, System::nanoTime, pending)
                        : SynchroniserThread.start(driver -> new Synchroniser(
                                store,
                                instance,
                                StoreClock.following(clock),
                                driver,
                                pending,
                                limits,
                                listener,
                                new ExchangeLog())),
                listener,
                signal,
                true);
    }

    /**
     * Creates a limiter that works with any clock. It starts no threads, so the caller has to call {@link #sweep}
     * regularly.
     *
     * @param signal the measure of load; {@code null} to use the machine's load
     */
    public static CountingRateLimiter sharing(
            Limits limits, Sharing sharing, RateLimitListener listener, @Nullable LoadSignal signal) {
        return new CountingRateLimiter(limits, pending -> sharing, listener, signal, false);
    }

    private CountingRateLimiter(
            Limits limits,
            Function<PendingPolicy, Sharing> opener,
            RateLimitListener listener,
            @Nullable LoadSignal signal,
            boolean sweepsItself) {
        this.signal = signal == null ? load : signal;
        this.listener = listener;
        this.pending = new BoundedPending(limits.pendingCalls());
        this.sharing = opener.apply(pending);
        this.blocks = new Blocks(sharing::elapsedNanos);
        this.families = new CounterFamilies(sharing, this.signal, blocks);
        this.endpoints = compile(limits);
        this.counters = new Counters(limits.maximumCounters(), sharing, listener);
        this.parts = new LimiterParts(
                counters,
                sharing,
                load,
                pending,
                new UnreportedLogins(),
                new LoginDecisions(this::soundTime),
                listener);
        this.fastPath = new SingleLimitFastPath(counters, sharing);
        if (sweepsItself) {
            every(SWEEP_INTERVAL, "Sweeping idle counters", this::sweep);
        }
        if (sweepsItself && signal == null) {
            every(LOAD_INTERVAL, "Measuring the CPU load", this::measureLoad);
        }
    }

    /**
     * Schedules a task that runs repeatedly on the background thread.
     *
     * @param what a gerund phrase that describes the task; log messages begin with it
     */
    private void every(Duration interval, String what, Poller.Task task) {
        new Poller(
                        background,
                        interval,
                        () -> interval,
                        task,
                        thrown -> LOG.warn(
                                "{} failed. Limits are still enforced. Retrying in {} s",
                                what,
                                interval.toSeconds(),
                                thrown))
                .start();
    }

    /**
     * Returns the thread for this limiter's background tasks. These tasks only access memory, and wait for neither I/O
     * nor the application.
     */
    public TaskThread background() {
        return background;
    }

    /** Compiles the limits. If that fails, closes {@link #sharing}, which is already running. */
    private CompiledEndpoints compile(Limits limits) {
        try {
            return CompiledEndpoints.compile(limits, families);
        } catch (RuntimeException | Error e) {
            sharing.close();
            throw e;
        }
    }

    /** Replaces all limits atomically. Counters of unchanged tiers keep their counts. */
    public void replace(Limits limits) {
        if (limits.equals(endpoints.limits())) {
            return;
        }
        endpoints = CompiledEndpoints.compile(limits, families);
        sharing.follow(limits);
        pending.follow(limits.pendingCalls());
    }

    @Override
    public Decision decide(Call call) {
        return decide(call, Phase.WHOLE);
    }

    /** Decides whether a call passes the endpoints of one phase. */
    public Decision decide(Call call, Phase phase) {
        return decide(match(call, phase), call);
    }

    private @Nullable MatchedEndpoints match(Call call, Phase phase) {
        CompiledEndpoints now = endpoints;
        if (phase == Phase.AFTER_AUTHENTICATION) {
            unknownClients.check(now, call);
        }
        return now.match(call, phase);
    }

    @Override
    public Decision decideOn(String name, Call call) {
        return decide(endpoints.matchOn(name, call), call);
    }

    private Decision decide(@Nullable MatchedEndpoints matched, Call call) {
        if (matched == null) {
            return Decision.UNLIMITED;
        }
        long now = sharing.decisionMillis();
        Decision decision = decideAtOnce(matched, call, now);
        if (decision == null) {
            decision = new Evaluation(call, matched, now, parts).decide();
        }
        notifyListener(call, decision);
        return decision;
    }

    /** Decides the call in the common case. Returns {@code null} in all other cases, or if the call has to wait. */
    private @Nullable Decision decideAtOnce(MatchedEndpoints matched, Call call, long now) {
        return matched instanceof MatchedEndpoints.One one && one.endpoint().isSimple
                ? fastPath.decide(one.endpoint(), call, now)
                : null;
    }

    @Override
    public CompletionStage<Decision> decideAsync(Call call, Executor executor) {
        return decideAsync(call, Phase.WHOLE, executor);
    }

    /** Decides whether a call passes the endpoints of one phase, without blocking a thread. */
    public CompletionStage<Decision> decideAsync(Call call, Phase phase, Executor executor) {
        return decideAsync(match(call, phase), call, executor, CompletableFuture::completeExceptionally);
    }

    @Override
    public CompletionStage<Decision> decideOnAsync(String name, Call call, Executor executor) {
        return decideOnAsync(name, call, executor, CompletableFuture::completeExceptionally);
    }

    /**
     * Decides a method call without blocking a thread.
     *
     * @param ifItFails the action that completes the result if the decision fails
     */
    public CompletableFuture<Decision> decideOnAsync(
            String name, Call call, Executor executor, BiConsumer<CompletableFuture<Decision>, Throwable> ifItFails) {
        return decideAsync(endpoints.matchOn(name, call), call, executor, ifItFails);
    }

    private CompletableFuture<Decision> decideAsync(
            @Nullable MatchedEndpoints matched,
            Call call,
            Executor executor,
            BiConsumer<CompletableFuture<Decision>, Throwable> ifItFails) {
        if (matched == null) {
            return CompletableFuture.completedFuture(Decision.UNLIMITED);
        }
        CompletableFuture<Boolean> sound = soundTime();
        Decision atOnce = sound == null ? decideAtOnce(matched, call, sharing.nowMillis()) : null;
        if (atOnce != null) {
            notifyListener(call, atOnce);
            return CompletableFuture.completedFuture(atOnce);
        }
        PendingDecision pending = new PendingDecision(
                () -> new Evaluation(call, matched, sharing.nowMillis(), parts),
                executor,
                decision -> notifyListener(call, decision),
                ifItFails);
        pending.proceedAfter(sound);
        return pending.result;
    }

    private @Nullable CompletableFuture<Boolean> soundTime() {
        CompletableFuture<Boolean> sound = sharing.soundTime();
        return sound == null
                ? null
                : sound.completeOnTimeout(
                        false, endpoints.limits().sharing().timeout().toNanos(), TimeUnit.NANOSECONDS);
    }

    private void notifyListener(Call call, Decision decision) {
        if (decision.outcome() == Outcome.UNLIMITED) {
            return;
        }
        try {
            listener.onDecision(call, decision);
        } catch (RuntimeException | Error e) {
            InFlightCall.endUnserved(decision.ticket());
            throw e;
        }
    }

    @Override
    public ResponseOptions responses() {
        return endpoints.limits().responses();
    }

    /** Returns the counters that would count the call now, without counting it. */
    public List<Explanation> explain(Call call) {
        return endpoints.explain(call, sharing.nowMillis());
    }

    /**
     * Returns the endpoints that decide before authentication and therefore cannot apply the limits of this caller's
     * client or plan.
     */
    public List<Endpoint> decidedTooEarly(Call authenticated) {
        return endpoints.decidedTooEarly(authenticated);
    }

    /** Returns the limits in force. */
    public Limits limits() {
        return endpoints.limits();
    }

    /**
     * Returns a caller's standing under each limit that has counted the caller's calls in this process. This method
     * does not count a call, but it visits all counters.
     */
    public List<Standing> standings(List<Subject> caller) {
        return counters.standings(caller, sharing.nowMillis());
    }

    /** Returns a caller's counters at an endpoint, without counting a call. */
    public List<NamedCounter> countersOf(Endpoint endpoint, NamedCaller caller) {
        return NamedCounter.all(caller.at(endpoint, endpoints.limits(), families), counters, sharing);
    }

    /** Discards all counts and blocks of this process. */
    public void forget() {
        counters.clear();
        blocks.clear();
    }

    /**
     * Returns the state of the background thread, including the accounts that are due first. Waits at most one second.
     */
    public LimiterDiagnostics diagnostics() {
        return answer(sharing.diagnose(null, MOST_DESCRIBED));
    }

    /** Returns the state of the background thread, including all accounts of a caller. Waits at most one second. */
    public LimiterDiagnostics diagnostics(List<Subject> caller) {
        return answer(sharing.diagnose(key -> key.subjects().containsAll(caller), MOST_DESCRIBED_OF_CALLER));
    }

    private static LimiterDiagnostics answer(CompletableFuture<LimiterDiagnostics> asked) {
        return asked.completeOnTimeout(
                        LimiterDiagnostics.unresponsive(Background.State.STUCK),
                        LONGEST_LOOK_MILLIS,
                        TimeUnit.MILLISECONDS)
                .join();
    }

    /** Returns the blocks that are known to this instance. */
    public Blocks blocks() {
        return blocks;
    }

    /** Returns the current time on the clock that windows and blocks use. */
    public long nowMillis() {
        return sharing.nowMillis();
    }

    /** Returns the approximate number of counters in memory. */
    public long counters() {
        return counters.size();
    }

    /** Measures the CPU load, but only if some limit is elastic, because the measurement takes time. */
    private void measureLoad() {
        if (endpoints.isElastic()) {
            load.measure();
        }
    }

    /** Removes idle counters and blocks that no longer matter, and reports the number of counters. */
    public void sweep() {
        sweepAsOf(sharing.nowMillis());
    }

    void sweepAsOf(long nowMillis) {
        counters.sweep(nowMillis);
        blocks.sweep(nowMillis);
        listener.onCounters(counters.size());
    }

    /**
     * Stops the background threads and returns the permits that this instance holds. After that, calls are decided as
     * if the store were unavailable. Calling this method again has no effect.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            background.close();
            sharing.leave();
            counters.leave(sharing.nowMillis());
            sharing.close();
            counters.leave(sharing.nowMillis()); // handles counters that calls have opened in the meantime
        }
    }
}
