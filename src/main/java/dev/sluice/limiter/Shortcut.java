package dev.sluice.limiter;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Where counters were found last: one place for all names with the same few bits of hash, so that the common look-up makes no key and
 * is told to no cache. Safe for any number of threads. It may forget at any time, and never tells of a counter that was retired; names that
 * were made up to share a place only push each other out.
 */
final class Shortcut {

    private static final int MOST_PLACES = 1 << 18;

    private final AtomicReferenceArray<@Nullable Counter> places;

    /** For about so many counters. */
    Shortcut(int counters) {
        this.places = new AtomicReferenceArray<>(Integer.highestOneBit(Math.min(counters, MOST_PLACES / 2)) * 2);
    }

    @Nullable Counter find(CounterFamily family, Object values) {
        Counter counter = places.getAcquire(place(family, values));
        return counter != null && counter.family == family && counter.values.equals(values) && !counter.isRetired()
                ? counter
                : null;
    }

    /** Nearly always it is there already, and to write it again would keep the garbage collector busy. */
    void remember(Counter counter) {
        int place = place(counter.family, counter.values);
        if (places.getAcquire(place) != counter) {
            places.setRelease(place, counter);
        }
    }

    /** Lets go of counters that were retired. */
    void sweep() {
        for (int i = 0; i < places.length(); i++) {
            Counter counter = places.getAcquire(i);
            if (counter != null && counter.isRetired()) {
                places.compareAndSet(i, counter, null);
            }
        }
    }

    private int place(CounterFamily family, Object values) {
        int hash = family.hash + values.hashCode();
        return (hash ^ hash >>> 16) & (places.length() - 1);
    }
}
