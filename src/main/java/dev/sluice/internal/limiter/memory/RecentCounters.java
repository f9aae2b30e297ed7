package dev.sluice.internal.limiter.memory;

import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamily;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A cache of recently found counters. Each key has one slot and the slot next to it, so that the usual look-up creates
 * no key and searches no map. It may forget counters at any time, and never returns a retired one. Keys constructed to
 * share a slot only displace each other and their neighbours, which are then found in the map. Thread-safe.
 */
final class RecentCounters {

    private static final int MOST_SLOTS = 1 << 18;

    private final AtomicReferenceArray<@Nullable Counter> slots;

    /** Creates a cache for about this many counters. */
    RecentCounters(int counters) {
        this.slots = new AtomicReferenceArray<>(Integer.highestOneBit(Math.min(counters, MOST_SLOTS / 2)) * 2);
    }

    @Nullable Counter find(CounterFamily family, Object values) {
        int slot = slot(family, values);
        Counter counter = slots.getAcquire(slot);
        if (counter == null || !counter.isNamed(family, values)) {
            counter = slots.getAcquire(neighbour(slot));
            counter = counter != null && counter.isNamed(family, values) ? counter : null;
        }
        return counter != null && !counter.isRetired() ? counter : null;
    }

    /**
     * Adds a counter. It is nearly always there already; writing it again would burden the garbage collector. If the
     * counter is retired meanwhile, this method or {@link #forget} removes it, whichever runs later.
     */
    void remember(Counter counter) {
        put(counter);
        if (counter.isRetired()) {
            forget(counter);
        }
    }

    private void put(Counter counter) {
        int slot = slot(counter.family, counter.values);
        Counter there = slots.getAcquire(slot);
        if (there == null || there.isRetired()) {
            slots.setRelease(slot, counter);
        } else if (there != counter && slots.getAcquire(neighbour(slot)) != counter) {
            slots.setRelease(neighbour(slot), counter);
        }
    }

    /** Removes a retired counter. */
    void forget(Counter retired) {
        int slot = slot(retired.family, retired.values);
        slots.compareAndSet(slot, retired, null);
        slots.compareAndSet(neighbour(slot), retired, null);
    }

    /** Whether a counter is cached, retired or not. */
    boolean holds(Counter counter) {
        int slot = slot(counter.family, counter.values);
        return slots.getAcquire(slot) == counter || slots.getAcquire(neighbour(slot)) == counter;
    }

    private int slot(CounterFamily family, Object values) {
        int hash = family.hash + values.hashCode();
        return (hash ^ hash >>> 16) & (slots.length() - 1);
    }

    private static int neighbour(int slot) {
        return slot ^ 1;
    }
}
