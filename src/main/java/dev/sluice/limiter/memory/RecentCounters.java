package dev.sluice.limiter.memory;

import dev.sluice.limiter.counter.Counter;
import dev.sluice.limiter.counter.CounterFamily;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Where counters were found last: one slot for all names with the same few bits of hash, and the one beside it for
 * whoever finds that taken, so that the common look-up makes no key and asks no map. Safe for any number of threads. It
 * may forget at any time, and never tells of a counter that was retired; names that were made up to share a slot only
 * push out each other and their neighbours, who are then looked up in the map.
 */
final class RecentCounters {

    private static final int MOST_SLOTS = 1 << 18;

    private final AtomicReferenceArray<@Nullable Counter> slots;

    /** For about so many counters. */
    RecentCounters(int counters) {
        this.slots = new AtomicReferenceArray<>(Integer.highestOneBit(Math.min(counters, MOST_SLOTS / 2)) * 2);
    }

    @Nullable Counter find(CounterFamily family, Object values) {
        int slot = slot(family, values);
        Counter counter = slots.getAcquire(slot);
        if (counter == null || !counter.isNamed(family, values)) {
            counter = slots.getAcquire(beside(slot));
            counter = counter != null && counter.isNamed(family, values) ? counter : null;
        }
        return counter != null && !counter.isRetired() ? counter : null;
    }

    /**
     * Nearly always it is there already, and to write it again would keep the garbage collector busy. One that is
     * retired meanwhile is let go of, by whoever comes later: this or {@link #forget}.
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
        } else if (there != counter && slots.getAcquire(beside(slot)) != counter) {
            slots.setRelease(beside(slot), counter);
        }
    }

    /** Lets go of a counter that was retired. */
    void forget(Counter retired) {
        int slot = slot(retired.family, retired.values);
        slots.compareAndSet(slot, retired, null);
        slots.compareAndSet(beside(slot), retired, null);
    }

    /** Whether it is remembered, be it retired or not. */
    boolean holds(Counter counter) {
        int slot = slot(counter.family, counter.values);
        return slots.getAcquire(slot) == counter || slots.getAcquire(beside(slot)) == counter;
    }

    private int slot(CounterFamily family, Object values) {
        int hash = family.hash + values.hashCode();
        return (hash ^ hash >>> 16) & (slots.length() - 1);
    }

    private static int beside(int slot) {
        return slot ^ 1;
    }
}
