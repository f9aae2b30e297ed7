package dev.sluice.limiter;

import dev.sluice.Call;
import dev.sluice.CounterStore;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Limits;
import dev.sluice.RateLimitListener;
import dev.sluice.RateLimiter;
import dev.sluice.Replies;
import dev.sluice.limiter.Sharing.Hope;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The conductor: finds the definitions that speak of a call, who is calling and what has been counted, judges, and counts.
 * Everything it touches is in memory, and it holds no lock.
 */
public final class CountingRateLimiter implements RateLimiter, AutoCloseable {

    private static final long COST = 1;

    private final RateLimitListener listener;
    private final Sharing sharing;
    private final Counters counters;
    private final Housekeeper housekeeper;
    private volatile Definitions definitions;

    /**
     * Opens a limiter that counts in this process alone.
     *
     * @param clock tells the time windows are cut by
     * @param listener is told of every decision
     */
    public CountingRateLimiter(Limits limits, InstantSource clock, RateLimitListener listener) {
        this(limits, Sharing.alone(clock), listener);
    }

    /**
     * Opens a limiter that counts together with all others on the same store.
     *
     * @param clock this machine's; windows are cut by the store's
     * @param listener is told of every decision
     * @param store is closed with the limiter
     * @param instance tells this limiter apart from all others on the store, for ever
     */
    public CountingRateLimiter(
            Limits limits, InstantSource clock, RateLimitListener listener, CounterStore store, String instance) {
        this(limits, Synchroniser.start(store, instance, clock, limits), listener);
    }

    static CountingRateLimiter sharing(Limits limits, Sharing sharing, RateLimitListener listener) {
        return new CountingRateLimiter(limits, sharing, listener);
    }

    private CountingRateLimiter(Limits limits, Sharing sharing, RateLimitListener listener) {
        this.listener = listener;
        this.sharing = sharing;
        this.definitions = Definitions.compile(limits, Map.of());
        this.counters = new Counters(limits.maximumCounters(), sharing);
        this.housekeeper = new Housekeeper(this::sweep);
    }

    /** Puts other definitions in force, whole and at once. Counts of tiers that have not changed go on. */
    public void replace(Limits limits) {
        definitions = Definitions.compile(limits, definitions.families());
        sharing.follow(limits);
    }

    @Override
    public Decision decide(Call call) {
        List<Guard> guards = definitions.table().match(call.method(), call.path());
        if (guards.isEmpty()) {
            return Decision.UNLIMITED;
        }
        long now = sharing.nowMillis();
        Guard first = guards.get(0);
        Decision decision = guards.size() == 1 && first.isSimple() && first.enforced()
                ? decideSimple(first, call, now)
                : decideAll(guards, call, now);
        listener.onDecision(call, decision);
        return decision;
    }

    /** The common case: one definition that is enforced, one tier, one subject. */
    private Decision decideSimple(Guard guard, Call call, long now) {
        while (true) {
            Window window = guard.counter(call, counters).at(now);
            if (window == null) {
                continue;
            }
            long left = window.permits.take(COST);
            if (left >= 0) {
                if (window.isLow(left)) {
                    sharing.due(window);
                }
                return admitted(guard.endpoint, window, window.left(left), now);
            }
            Hope hope = left == Permits.TOO_FEW ? sharing.await(window, COST) : Hope.AGAIN;
            if (hope == Hope.UNHEARD) {
                return admitted(guard.endpoint, window, window.left(), now);
            }
            if (hope == Hope.NONE) {
                return refused(Outcome.REFUSED, guard.endpoint, window, now);
            }
        }
    }

    /** Enforced definitions judge together; those on a dry run follow, each for itself, if the call passes. */
    private Decision decideAll(List<Guard> guards, Call call, long now) {
        List<Guard> enforced = guards.stream().filter(Guard::enforced).toList();
        Decision decision =
                enforced.isEmpty() ? Decision.UNLIMITED : decideTogether(enforced, call, now, Outcome.REFUSED);
        for (Guard guard : guards) {
            if (!guard.enforced() && decision.admitted()) {
                Decision rehearsed = decideTogether(List.of(guard), call, now, Outcome.WOULD_REFUSE);
                if (decision.outcome() == Outcome.UNLIMITED) {
                    decision = rehearsed;
                } else {
                    listener.onDecision(call, rehearsed);
                }
            }
        }
        return decision;
    }

    private Decision decideTogether(List<Guard> guards, Call call, long now, Outcome ifShort) {
        List<Window> excused = new ArrayList<>();
        while (true) {
            List<WindowCounter> involved = new ArrayList<>();
            guards.forEach(guard -> involved.addAll(guard.counters(call, counters)));
            Turn turn = new Turn(involved, now, COST, excused);
            Turn.Outcome outcome = turn.take();
            if (outcome == Turn.Outcome.TAKEN) {
                turn.windows().stream()
                        .filter(window -> window.isLow(window.permits.left()))
                        .forEach(sharing::due);
                Window scarcest = turn.scarcest();
                return admitted(endpointOf(scarcest, guards), scarcest, scarcest.left(), now);
            }
            if (outcome == Turn.Outcome.REFUSED) {
                Window refusing = turn.longestRefusing();
                Hope hope = sharing.await(refusing, COST);
                if (hope == Hope.UNHEARD) {
                    excused.add(refusing);
                } else if (hope == Hope.NONE) {
                    excused.forEach(window -> window.takeBackUnheard(COST));
                    return refused(ifShort, endpointOf(refusing, guards), refusing, now);
                }
            }
        }
    }

    private static Decision admitted(Endpoint endpoint, Window window, long left, long now) {
        WindowCounter counter = window.counter;
        return new Decision(
                Outcome.ADMITTED, endpoint, counter.family.tier(), counter.subjects, left, window.end - now, 0, null);
    }

    private static Decision refused(Outcome outcome, Endpoint endpoint, Window window, long now) {
        WindowCounter counter = window.counter;
        long reset = window.end - now;
        return new Decision(
                outcome, endpoint, counter.family.tier(), counter.subjects, window.left(), reset, reset, null);
    }

    private static Endpoint endpointOf(Window window, List<Guard> guards) {
        String id = window.counter.family.identity.endpoint();
        for (Guard guard : guards) {
            if (guard.endpoint.id().equals(id)) {
                return guard.endpoint;
            }
        }
        throw new IllegalStateException("a counter of none of the call's definitions: " + id);
    }

    @Override
    public Replies replies() {
        return definitions.limits().replies();
    }

    /** Which counters the call would be counted in now, without counting it. */
    public List<Explanation> explain(Call call) {
        long now = sharing.nowMillis();
        List<Explanation> explanations = new ArrayList<>();
        for (Guard guard : definitions.table().match(call.method(), call.path())) {
            for (WindowCounter counter : guard.counters(call, counters)) {
                explanations.add(new Explanation(guard.endpoint, counter.family.tier(), counter.keyAt(now)));
            }
        }
        return explanations;
    }

    /** How many counters are in memory, about. */
    long counters() {
        return counters.size();
    }

    void sweep() {
        sweepAsOf(sharing.nowMillis());
    }

    void sweepAsOf(long nowMillis) {
        counters.sweep(nowMillis);
    }

    /** Stops what runs in the background, and returns what is held of shared limits. Decisions go on to be made. */
    @Override
    public void close() {
        housekeeper.close();
        sharing.close();
    }
}
