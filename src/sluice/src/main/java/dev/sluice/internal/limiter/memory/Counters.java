package dev.sluice.internal.limiter.memory;

import dev.sluice.CounterKey;
import dev.sluice.RateLimitListener;
import dev.sluice.Subject;
import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.limiter.counter.Sharing;
import dev.sluice.limits.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The counters of this process. Their number is bounded regardless of what callers send. {@link EvictionOrder} selects
 * the counters to evict. Thread-safe.
 *
 * <p>Each key has at most one counter that is not retired. Therefore, most calls can find their counter through {@link
 * RecentCounters}. The use of a counter is recorded at most four times a second. This is frequent enough to find idle
 * counters.
 */
public final class Counters {

    /**
     * The minimum time for which a counter keeps its plan. A caller's calls can alternate between two plans for a
     * while, for example because some of them carry an old token. The counter must not be replaced each time the plan
     * alternates.
     */
    private static final int LEAST_MILLIS_OF_A_PLAN = 100;

    private final ConcurrentMap<CounterId, Counter> all = new ConcurrentHashMap<>();
    private final EvictionOrder order;
    private final RecentCounters recent;
    private final Sharing sharing;
    private final RateLimitListener listener;

    /**
     * Creates an empty set of counters.
     *
     * @param listener the listener that is notified of evictions
     */
    public Counters(int maximum, Sharing sharing, RateLimitListener listener) {
        this.sharing = sharing;
        this.listener = listener;
        this.order = new EvictionOrder(Counter.keptInMemory(maximum));
        this.recent = new RecentCounters(maximum);
    }

    /**
     * Returns the counter for a family and a value or list of values. Creates the counter if there is none.
     *
     * <p>A call that began before the limits were replaced uses the counter of the new limits, if there is one.
     * Therefore, old and new calls never replace each other's counter. If the counter has a different family under the
     * same limits, the caller's plan has changed.
     *
     * @param limitsNumber the sequence number of the limits that decide the call
     */
    public Counter get(CounterFamily family, Object values, int limitsNumber, long nowMillis) {
        Counter found = recent.find(family, values);
        Counter counter = found != null ? found : find(new CounterId(family, values), limitsNumber, nowMillis);
        counter.recordUse(nowMillis);
        return counter;
    }

    private Counter find(CounterId id, int limitsNumber, long nowMillis) {
        Counter known = all.get(id);
        Counter counter =
                known != null && serves(id, limitsNumber, known, nowMillis) ? known : open(id, limitsNumber, nowMillis);
        recent.remember(counter);
        return counter;
    }

    private static boolean serves(CounterId id, int limitsNumber, Counter counter, long nowMillis) {
        boolean isRight = counter.family == id.family
                || counter.limitsNumber() > limitsNumber
                || (counter.limitsNumber() == limitsNumber
                        && counter.countingMillis(nowMillis) < LEAST_MILLIS_OF_A_PLAN);
        return isRight && !counter.isRetired();
    }

    private Counter open(CounterId sought, int limitsNumber, long nowMillis) {
        Counter counter = all.compute(
                sought,
                (id, present) -> present != null && serves(sought, limitsNumber, present, nowMillis)
                        ? present
                        : replacement(present, sought, limitsNumber, nowMillis));
        recent.growFor(all.size());
        Counter tooMany = order.next(nowMillis);
        while (tooMany != null) {
            tooMany.retire();
            forget(tooMany);
            listener.onEviction();
            tooMany = order.next(nowMillis);
        }
        return counter;
    }

    /** Returns a new counter. It continues the previous counter if both count in the same way. */
    private Counter replacement(@Nullable Counter before, CounterId sought, int limitsNumber, long nowMillis) {
        Counter successor = null;
        if (before != null) {
            order.remove(before);
            if (!before.isRetired() && before.family.countsLike(sought.family)) {
                successor = before.replacedBy(sought.family);
            } else {
                before.retire();
            }
            recent.forget(before);
        }
        Counter made = successor == null ? sharing.open(sought.family, sought.values) : successor;
        made.chosen(
                Math.max(limitsNumber, before == null ? 0 : before.limitsNumber()),
                (int) nowMillis - (before == null ? LEAST_MILLIS_OF_A_PLAN : 0));
        order.add(made, nowMillis);
        return made;
    }

    private void forget(Counter retired) {
        all.remove(new CounterId(retired.family, retired.values), retired);
        recent.forget(retired);
    }

    /** Removes idle counters. */
    public void sweep(long nowMillis) {
        for (Counter counter : all.values()) {
            if (counter.retireIfIdle(nowMillis)) {
                order.remove(counter);
                forget(counter);
            }
        }
    }

    /** Returns a caller's standing under each counter in use. Visits all counters. */
    public List<Standing> standings(List<Subject> caller, long nowMillis) {
        List<Standing> standings = new ArrayList<>();
        for (Counter counter : all.values()) {
            Pool pool = counter.subjects.equals(caller) && !counter.isRetired() ? counter.at(nowMillis) : null;
            if (pool != null) {
                long state = pool.state(nowMillis);
                CounterKey key = counter.keyAt(nowMillis);
                standings.add(new Standing(
                        key.endpoint(),
                        key.method(),
                        counter.family.tier,
                        pool.left(state, nowMillis),
                        pool.resetMillis(state, nowMillis)));
            }
        }
        return List.copyOf(standings);
    }

    /** Removes all counters and their counts. */
    public void clear() {
        for (Counter counter : all.values()) {
            counter.retire();
            order.remove(counter);
            forget(counter);
        }
    }

    /**
     * Replaces the shared counters after sharing has ended. The new counters take over the use of the shared counters.
     */
    public void leave(long nowMillis) {
        for (CounterId id : List.copyOf(all.keySet())) {
            all.computeIfPresent(id, (same, counter) -> {
                long used = counter.retireBecauseUnshared(nowMillis);
                return used < 0 ? counter : unshared(counter, used, nowMillis);
            });
        }
    }

    private Counter unshared(Counter shared, long used, long nowMillis) {
        order.remove(shared);
        recent.forget(shared);
        Counter unshared = sharing.open(shared.family, shared.values);
        unshared.chosen(shared.limitsNumber(), 0);
        Pool pool = unshared.at(nowMillis);
        if (used > 0 && pool != null && !sharing.opensSharedCounters()) {
            pool.charge(used, nowMillis);
        }
        order.add(unshared, nowMillis);
        return unshared;
    }

    /** Returns the number of counters. */
    public int size() {
        return all.size();
    }
}
