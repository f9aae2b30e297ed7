package dev.sluice.internal.limiter.memory;

import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamily;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A cache of recently found counters. Each key can use two adjacent slots, so a typical look-up creates no key and
 * searches no map. The cache grows with the number of counters. A table that is too large for its contents would waste
 * CPU cache, and a table that is too small would cause frequent cache misses. If callers construct keys that share a
 * slot, the counters of these keys displace only each other and their neighbours. Displaced counters can still be found
 * in the map.
 *
 * <p>Thread-safe. The cache can forget any counter at any time, and never returns a retired counter.
 */
final class RecentCounters {

    private static final int FEWEST_SLOTS = 1 << 10;
    private static final int MOST_COUNTERS = 1 << 26;
    /**
     * The minimum number of slots per counter. With enough slots, few counters share a slot. Look-ups in shared slots
     * are slower.
     */
    private static final int SLOTS_A_COUNTER = 2;
    /**
     * The factor that spreads hashes over the slots: 2^32 divided by the golden ratio. It also spreads hashes that
     * differ only in their lowest bits, such as the hashes of numbered names.
     */
    private static final int SPREAD = 0x9E3779B9;

    private final int mostSlots;
    /**
     * The slots. When the cache grows, an empty table replaces the old table. Entries that other threads are still
     * writing to the old table are lost.
     */
    private volatile AtomicReferenceArray<@Nullable Counter> table;

    /** Creates a cache that never grows beyond the given number of counters. */
    RecentCounters(int most) {
        this.mostSlots = Integer.highestOneBit(Math.min(most, MOST_COUNTERS)) * SLOTS_A_COUNTER;
        this.table = new AtomicReferenceArray<>(Math.min(FEWEST_SLOTS, mostSlots));
    }

    /** Enlarges the cache if it has too few slots for the given number of counters. */
    void growFor(int counters) {
        int slots = table.length();
        if (counters > slots / SLOTS_A_COUNTER && slots < mostSlots) {
            table = new AtomicReferenceArray<>(2 * slots);
        }
    }

    @Nullable Counter find(CounterFamily family, Object values) {
        AtomicReferenceArray<@Nullable Counter> slots = table;
        int slot = slot(slots, family, values);
        Counter counter = slots.getAcquire(slot);
        if (counter == null || !counter.isNamed(family, values)) {
            counter = slots.getAcquire(neighbour(slot));
            counter = counter != null && counter.isNamed(family, values) ? counter : null;
        }
        return counter != null && !counter.isRetired() ? counter : null;
    }

    /**
     * Adds a counter. Almost always, the counter is already cached. In that case, it is not written again, because the
     * write would burden the garbage collector. If the counter is retired at the same time, either this method or
     * {@link #forget} removes it, depending on which runs later.
     */
    void remember(Counter counter) {
        put(counter);
        if (counter.isRetired()) {
            forget(counter);
        }
    }

    private void put(Counter counter) {
        AtomicReferenceArray<@Nullable Counter> slots = table;
        int slot = slot(slots, counter.family, counter.values);
        Counter there = slots.getAcquire(slot);
        if (there == null || there.isRetired()) {
            slots.setRelease(slot, counter);
        } else if (there != counter && slots.getAcquire(neighbour(slot)) != counter) {
            slots.setRelease(neighbour(slot), counter);
        }
    }

    /** Removes a retired counter. */
    void forget(Counter retired) {
        AtomicReferenceArray<@Nullable Counter> slots = table;
        int slot = slot(slots, retired.family, retired.values);
        slots.compareAndSet(slot, retired, null);
        slots.compareAndSet(neighbour(slot), retired, null);
    }

    /** Whether a counter is cached, even if it is retired. */
    boolean holds(Counter counter) {
        AtomicReferenceArray<@Nullable Counter> slots = table;
        int slot = slot(slots, counter.family, counter.values);
        return slots.getAcquire(slot) == counter || slots.getAcquire(neighbour(slot)) == counter;
    }

    private static int slot(AtomicReferenceArray<?> slots, CounterFamily family, Object values) {
        int hash = (family.hash + values.hashCode()) * SPREAD;
        return hash >>> (Integer.numberOfLeadingZeros(slots.length()) + 1);
    }

    private static int neighbour(int slot) {
        return slot ^ 1;
    }
}
