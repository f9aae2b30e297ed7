package dev.sluice.limiter;

import dev.sluice.Call;
import dev.sluice.CounterKey;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.LoadSignal;
import dev.sluice.RateLimitListener;
import dev.sluice.RateLimiter;
import dev.sluice.ResponseOptions;
import dev.sluice.Subject;
import dev.sluice.exchange.CounterStore;
import dev.sluice.limiter.counter.CounterFamilies;
import dev.sluice.limiter.counter.CounterFamily;
import dev.sluice.limiter.counter.Pool;
import dev.sluice.limiter.counter.Sharing;
import dev.sluice.limiter.definition.Clients;
import dev.sluice.limiter.definition.CompiledEndpoint;
import dev.sluice.limiter.definition.Definitions;
import dev.sluice.limiter.definition.Matched;
import dev.sluice.limiter.exchange.SynchroniserThread;
import dev.sluice.limiter.exchange.ThreadWait;
import dev.sluice.limiter.local.UnsharedCounting;
import dev.sluice.limiter.memory.Counters;
import dev.sluice.limits.Explanation;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Phase;
import dev.sluice.limits.Standing;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides on calls: finds the definitions that speak of a call, who is calling and what has been counted, judges, and
 * counts. Everything it touches is in memory. A call that lacks permits of a shared limit may wait for them ({@link
 * Sharing#await}); no lock is held while it waits, nor while anything is read or sent.
 */
public final class CountingRateLimiter implements RateLimiter, AutoCloseable {

    private static final long SWEEP_SECONDS = 5;

    private final RateLimitListener listener;
    private final Sharing sharing;
    private final BoundedWaiting waiting;
    private final Counters counters;
    private final SingleLimitFastPath fastPath;
    private final Housekeeper housekeeper;
    private final MachineLoad load = new MachineLoad();
    private final LoadSignal signal;
    private final CounterFamilies families;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile Definitions definitions;

    /**
     * Opens a limiter that counts in this process alone.
     *
     * @param clock tells the time windows are cut by
     * @param listener is told of what happens
     */
    public CountingRateLimiter(Limits limits, InstantSource clock, RateLimitListener listener) {
        this(limits, waiting -> new UnsharedCounting(clock), listener, null, true);
    }

    /**
     * Opens a limiter that counts together with all others on the same store.
     *
     * @param clock this machine's; windows are cut by the store's
     * @param listener is told of what happens
     * @param store is closed with the limiter
     * @param instance tells this limiter apart from all others on the store, for ever
     */
    public CountingRateLimiter(
            Limits limits, InstantSource clock, RateLimitListener listener, CounterStore store, String instance) {
        this(limits, clock, listener, store, instance, null);
    }

    /**
     * Opens a limiter that counts together with others if there is a store, and that may be told how busy this instance
     * is.
     *
     * @param signal the application's own idea of that; {@code null} if it has none
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
                waiting -> store == null
                        ? new UnsharedCounting(clock)
                        : SynchroniserThread.start(store, instance, clock, waiting, limits, listener),
                listener,
                signal,
                true);
    }

    /** A limiter whose {@link #sweep} is for the caller to call, by whatever clock. */
    public static CountingRateLimiter sharing(Limits limits, Sharing sharing, RateLimitListener listener) {
        return new CountingRateLimiter(limits, waiting -> sharing, listener, null, false);
    }

    /** Such a limiter for studies in virtual time: it is always as busy as this tells. */
    public static CountingRateLimiter sharing(
            Limits limits, Sharing sharing, RateLimitListener listener, LoadSignal signal) {
        return new CountingRateLimiter(limits, waiting -> sharing, listener, signal, false);
    }

    private CountingRateLimiter(
            Limits limits,
            Function<ThreadWait, Sharing> opener,
            RateLimitListener listener,
            @Nullable LoadSignal signal,
            boolean sweepsItself) {
        this.signal = signal == null ? load : signal;
        this.listener = listener;
        this.waiting = new BoundedWaiting(limits.waitingThreads());
        this.sharing = opener.apply(waiting);
        this.families = new CounterFamilies(sharing, this.signal);
        this.definitions = compile(limits);
        this.counters = new Counters(limits.maximumCounters(), sharing, listener);
        this.fastPath = new SingleLimitFastPath(counters, sharing);
        this.housekeeper = new Housekeeper();
        if (sweepsItself) {
            housekeeper.every(SWEEP_SECONDS, "Sweeping idle counters", this::sweep);
        }
        if (sweepsItself && signal == null) {
            housekeeper.every(1, "Looking at the processors' load", this::lookAtLoad);
        }
    }

    /** Of limits that cannot be compiled nothing is left running. */
    private Definitions compile(Limits limits) {
        try {
            return Definitions.compile(limits, families);
        } catch (RuntimeException | Error e) {
            sharing.close();
            throw e;
        }
    }

    /** Puts other definitions in force, whole and at once. Counts of tiers that have not changed go on. */
    public void replace(Limits limits) {
        definitions = Definitions.compile(limits, families);
        sharing.follow(limits);
        waiting.follow(limits.waitingThreads());
    }

    @Override
    public Decision decide(Call call) {
        return decide(call, Phase.WHOLE);
    }

    /** The same by those definitions alone that belong to a phase. */
    public Decision decide(Call call, Phase phase) {
        Matched matched = definitions.match(call, phase);
        if (matched == null) {
            return Decision.UNLIMITED;
        }
        long now = sharing.nowMillis();
        Decision decision = matched instanceof Matched.One one && one.endpoint().isSimple
                ? fastPath.decide(one.endpoint(), call, now)
                : new Evaluation(call, now, counters, sharing, load, waiting).decide(matched, listener);
        if (decision.outcome() != Outcome.UNLIMITED) {
            tell(call, decision);
        }
        return decision;
    }

    private void tell(Call call, Decision decision) {
        try {
            listener.onDecision(call, decision);
        } catch (RuntimeException | Error e) {
            InFlightCall.endUnserved(decision.ticket());
            throw e;
        }
    }

    @Override
    public ResponseOptions responses() {
        return definitions.limits().responses();
    }

    /** Which counters the call would be counted in now, without counting it. */
    public List<Explanation> explain(Call call) {
        long now = sharing.nowMillis();
        Set<Explanation> explanations = new LinkedHashSet<>();
        for (Clients.Applied one : definitions.explain(call)) {
            CompiledEndpoint compiledEndpoint = one.compiledEndpoint();
            if (compiledEndpoint.appliesTo(one.call(), now)) {
                CompiledEndpoint.Caller caller = compiledEndpoint.caller(one.call());
                for (CounterFamily family : caller.families()) {
                    CounterKey key = family.keyAt(family.subjects(caller.values()), now);
                    explanations.add(new Explanation(compiledEndpoint.endpoint, family.tier, key, one.client()));
                }
            }
        }
        return List.copyOf(explanations);
    }

    /** What is in force. */
    public Limits limits() {
        return definitions.limits();
    }

    /** Where a caller stands in each limit that counts it in this process, counting nothing. Looks at all counters. */
    public List<Standing> standings(List<Subject> caller) {
        long now = sharing.nowMillis();
        List<Standing> standings = new ArrayList<>();
        counters.forEachOf(caller, counter -> {
            Pool pool = counter.at(now);
            if (pool != null) {
                long reading = pool.reading(now);
                CounterKey key = counter.keyAt(now);
                standings.add(new Standing(
                        key.endpoint(),
                        key.method(),
                        counter.family.tier,
                        pool.left(reading, now),
                        pool.resetMillis(reading, now)));
            }
        });
        return List.copyOf(standings);
    }

    /** How many counters are in memory, about. */
    public long counters() {
        return counters.size();
    }

    /** Looking takes some time, so it is done only where it matters. */
    private void lookAtLoad() {
        if (definitions.isElastic()) {
            load.look();
        }
    }

    public void sweep() {
        sweepAsOf(sharing.nowMillis());
    }

    void sweepAsOf(long nowMillis) {
        counters.sweep(nowMillis);
        listener.onCounters(counters.size());
    }

    /**
     * Stops what runs in the background, and returns what is held of shared limits. Decisions go on to be made, as if
     * the store were away. The second time nothing happens.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            housekeeper.close();
            sharing.leave();
            counters.leave(sharing.nowMillis());
            sharing.close();
            counters.leave(sharing.nowMillis()); // those that calls were opening at that moment
        }
    }
}
