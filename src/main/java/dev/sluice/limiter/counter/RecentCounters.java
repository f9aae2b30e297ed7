package dev.sluice.limiter.counter;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Where counters were found last: one place for all names with the same few bits of hash, and the one beside it for
 * whoever finds that taken, so that the common look-up makes no key and asks no map. Safe for any number of threads. It
 * may forget at any time, and never tells of a counter that was retired; names that were made up to share a place only
 * push out each other and their neighbours, who are then looked up in the map.
 */
final class RecentCounters {

    private static final int MOST_PLACES = 1 << 18;

    private final AtomicReferenceArray<@Nullable Counter> places;

    /** For about so many counters. */
    RecentCounters(int counters) {
        this.places = new AtomicReferenceArray<>(Integer.highestOneBit(Math.min(counters, MOST_PLACES / 2)) * 2);
    }

    @Nullable Counter find(CounterFamily family, Object values) {
        int place = place(family, values);
        Counter counter = places.getAcquire(place);
        if (counter == null || !counter.isNamed(family, values)) {
            counter = places.getAcquire(beside(place));
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
        int place = place(counter.family, counter.values);
        Counter there = places.getAcquire(place);
        if (there == null || there.isRetired()) {
            places.setRelease(place, counter);
        } else if (there != counter && places.getAcquire(beside(place)) != counter) {
            places.setRelease(beside(place), counter);
        }
    }

    /** Lets go of a counter that was retired. */
    void forget(Counter retired) {
        int place = place(retired.family, retired.values);
        places.compareAndSet(place, retired, null);
        places.compareAndSet(beside(place), retired, null);
    }

    /** Whether it is remembered, be it retired or not. */
    boolean holds(Counter counter) {
        int place = place(counter.family, counter.values);
        return places.getAcquire(place) == counter || places.getAcquire(beside(place)) == counter;
    }

    private int place(CounterFamily family, Object values) {
        int hash = family.hash + values.hashCode();
        return (hash ^ hash >>> 16) & (places.length() - 1);
    }

    private static int beside(int place) {
        return place ^ 1;
    }
}
