package dev.sluice.limiter;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The counters of this process, bounded in number whatever callers send. A flood of callers that were never seen before drives
 * out idle and hardly used counters first: one that is mostly spent when the cache lets go of it moves to a second cache of
 * the same size, and comes back as it was when its caller does, so that nobody washes away a spent limit with made-up names.
 *
 * <p>There is never more than one counter of a name that is not retired. So most calls find theirs by a {@link Shortcut}, and the cache
 * hears of a counter's use four times a second, which is all that its judgement of what is idle needs.
 */
final class Counters {

    private final Cache<CounterId, Counter> recent;
    private final Cache<CounterId, Counter> spent;
    private final Sharing sharing;
    private final Shortcut shortcut;

    Counters(int maximum, Sharing sharing) {
        this.sharing = sharing;
        this.shortcut = new Shortcut(maximum);
        this.spent = Caffeine.newBuilder()
                .maximumSize(maximum)
                .evictionListener((@Nullable CounterId id, @Nullable Counter counter, RemovalCause cause) -> {
                    if (counter != null) {
                        counter.retire();
                    }
                })
                .build();
        this.recent = Caffeine.newBuilder()
                .maximumSize(maximum)
                .evictionListener((@Nullable CounterId id, @Nullable Counter counter, RemovalCause cause) -> {
                    if (id != null && counter != null) {
                        letGo(id, counter);
                    }
                })
                .build();
    }

    /** The counter of that family and of the value, or list of values, of its subjects; made if there is none. */
    Counter get(CounterFamily family, Object values, long nowMillis) {
        Counter counter = shortcut.find(family, values);
        return counter != null && !counter.noteUse(nowMillis)
                ? counter
                : look(new CounterId(family, values), nowMillis);
    }

    /** Asks the cache, which learns of the use, and brings a counter back that had moved to the other one. */
    private Counter look(CounterId id, long nowMillis) {
        Counter known = recent.getIfPresent(id);
        Counter counter = known != null && known.family == id.family && !known.isRetired() ? known : find(id);
        counter.noteUse(nowMillis);
        shortcut.remember(counter);
        return counter;
    }

    private Counter find(CounterId sought) {
        return recent.asMap()
                .compute(
                        sought,
                        (id, present) -> usable(
                                sought.family, present != null && !present.isRetired() ? present : revive(sought)));
    }

    private Counter revive(CounterId id) {
        Counter parked = spent.asMap().remove(id);
        return parked != null && !parked.isRetired() ? parked : Counter.open(id.family, id.values);
    }

    /** That counter, or the one that goes on for it since the limit has changed. */
    private static Counter usable(CounterFamily family, Counter counter) {
        return counter.family == family ? counter : counter.succeededBy(family);
    }

    private void letGo(CounterId id, Counter counter) {
        if (counter.mostlySpent(sharing.nowMillis())) {
            spent.put(id, counter);
        } else {
            counter.retire();
        }
    }

    /** Forgets the counters whose last window is long over. */
    void sweep(long nowMillis) {
        recent.asMap().values().removeIf(counter -> counter.retireIfIdle(nowMillis));
        spent.asMap().values().removeIf(counter -> counter.retireIfIdle(nowMillis));
        shortcut.sweep();
    }

    /** Puts others in the place of those that are shared, now that nothing is any more. Of what was used they know. */
    void leave(long nowMillis) {
        for (Cache<CounterId, Counter> cache : List.of(recent, spent)) {
            for (CounterId id : List.copyOf(cache.asMap().keySet())) {
                cache.asMap().computeIfPresent(id, (same, counter) -> counter.forItself(nowMillis));
            }
        }
    }

    /** How many there are; settles what the caches have put off first. */
    long size() {
        recent.cleanUp();
        spent.cleanUp();
        return recent.estimatedSize() + spent.estimatedSize();
    }
}
