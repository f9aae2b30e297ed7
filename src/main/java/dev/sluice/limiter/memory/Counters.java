package dev.sluice.limiter.memory;

import dev.sluice.RateLimitListener;
import dev.sluice.Subject;
import dev.sluice.limiter.counter.Counter;
import dev.sluice.limiter.counter.CounterFamily;
import dev.sluice.limiter.counter.Pool;
import dev.sluice.limiter.counter.Sharing;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The counters of this process, bounded in number whatever callers send; which of them go where there are too many is
 * the {@link EvictionOrder}'s to say. Safe for any threads.
 *
 * <p>There is never more than one counter of a name that is not retired. So most calls find theirs by a {@link
 * RecentCounters}, and what is noted of a counter's use is noted four times a second, which is all that the judgement
 * of what is idle needs.
 */
public final class Counters {

    /**
     * Room for all counters of the calls under way, or they would drive out each other's, and their own, before they
     * take from them.
     */
    private static final int LEAST = 1_000;

    private final ConcurrentMap<CounterId, Counter> all = new ConcurrentHashMap<>();
    private final EvictionOrder order;
    private final RecentCounters recent;
    private final Sharing sharing;
    private final RateLimitListener listener;

    /**
     * Has none yet.
     *
     * @param listener is told of evictions
     */
    public Counters(int maximum, Sharing sharing, RateLimitListener listener) {
        this.sharing = sharing;
        this.listener = listener;
        this.order = new EvictionOrder(Math.max(LEAST, maximum));
        this.recent = new RecentCounters(maximum);
    }

    /** The counter of that family and of the value, or list of values, of its subjects; made if there is none. */
    public Counter get(CounterFamily family, Object values, long nowMillis) {
        Counter found = recent.find(family, values);
        Counter counter = found != null ? found : look(new CounterId(family, values), nowMillis);
        counter.noteUse(nowMillis);
        return counter;
    }

    /** The counter of these subjects that is in use, be it for another limit of the same series; made if there is none. */
    public Counter current(CounterFamily family, Object values, long nowMillis) {
        Counter known = all.get(new CounterId(family, values));
        return known != null && !known.isRetired() ? known : get(family, values, nowMillis);
    }

    private Counter look(CounterId id, long nowMillis) {
        Counter known = all.get(id);
        Counter counter = known != null && serves(id, known) ? known : make(id, nowMillis);
        recent.remember(counter);
        return counter;
    }

    private static boolean serves(CounterId id, Counter counter) {
        return counter.family == id.family && !counter.isRetired();
    }

    private Counter make(CounterId sought, long nowMillis) {
        Counter counter = all.compute(
                sought,
                (id, present) ->
                        present != null && serves(sought, present) ? present : inPlaceOf(present, sought, nowMillis));
        Counter tooMany = order.next(nowMillis);
        while (tooMany != null) {
            tooMany.retire();
            forget(tooMany);
            listener.onEviction();
            tooMany = order.next(nowMillis);
        }
        return counter;
    }

    /**
     * A counter that goes on for the one that was there, if it was for another limit of the same series, or a new one.
     */
    private Counter inPlaceOf(@Nullable Counter before, CounterId sought, long nowMillis) {
        if (before != null) {
            order.remove(before);
        }
        Counter successor = before == null || before.isRetired() ? null : before.succeededBy(sought.family);
        if (before != null) {
            recent.forget(before);
        }
        Counter made = successor == null ? sharing.open(sought.family, sought.values) : successor;
        order.add(made, nowMillis);
        return made;
    }

    private void forget(Counter retired) {
        all.remove(new CounterId(retired.family, retired.values), retired);
        recent.forget(retired);
    }

    /** Forgets the counters whose last window is long over. */
    public void sweep(long nowMillis) {
        for (Counter counter : all.values()) {
            if (counter.retireIfIdle(nowMillis)) {
                order.remove(counter);
                forget(counter);
            }
        }
    }

    /** Hands on those of one caller that are in use. Looks at all. */
    public void forEachOf(List<Subject> caller, Consumer<Counter> use) {
        for (Counter counter : all.values()) {
            if (counter.subjects.equals(caller) && !counter.isRetired()) {
                use.accept(counter);
            }
        }
    }

    /** Puts others in the place of those that are shared, now that nothing is any more. Of what was used they know. */
    public void leave(long nowMillis) {
        for (CounterId id : List.copyOf(all.keySet())) {
            all.computeIfPresent(id, (same, counter) -> {
                long used = counter.retireBecauseUnshared(nowMillis);
                return used < 0 ? counter : own(counter, used, nowMillis);
            });
        }
    }

    private Counter own(Counter shared, long used, long nowMillis) {
        order.remove(shared);
        recent.forget(shared);
        Counter own = sharing.open(shared.family, shared.values);
        Pool pool = own.at(nowMillis);
        if (used > 0 && pool != null && !sharing.opensSharedCounters()) {
            pool.charge(used, nowMillis);
        }
        order.add(own, nowMillis);
        return own;
    }

    /** How many there are. */
    public int size() {
        return all.size();
    }
}
