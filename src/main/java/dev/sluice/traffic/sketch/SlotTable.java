package dev.sluice.traffic.sketch;

import dev.sluice.CallerSubjects;
import dev.sluice.Subject;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Finds the slot of a caller by its fingerprint ({@link #printOf}), without a lock: at the place that it leads to, or a few places
 * further. Any threads may look; one at a time may change it.
 */
final class SlotTable {

    private static final int PLACES_EACH = 4;
    private static final int NUMBER_BITS = 12;
    private static final long NUMBER = (1L << NUMBER_BITS) - 1;

    /** In each the fingerprint, and in its free bits the slot's number plus one; 0 where nobody is. */
    private final AtomicLongArray places;
    /** How much further than where it leads to a fingerprint may stand. */
    private volatile int reach;

    SlotTable(int capacity) {
        if (capacity >= NUMBER) {
            throw new IllegalArgumentException("a capacity of " + capacity + " is not less than " + NUMBER);
        }
        this.places = new AtomicLongArray(Integer.highestOneBit(capacity * PLACES_EACH - 1) * 2);
    }

    /** A caller at an endpoint as a number whose lowest bits are zero: room for the number of a slot. */
    static long printOf(String endpoint, List<Subject> subjects) {
        return CallerSubjects.fingerprint(endpoint, subjects) & ~NUMBER;
    }

    /** Its slot, or -1. */
    int find(long fingerprint) {
        int first = place(fingerprint);
        for (int i = 0, last = reach; i <= last; i++) {
            long there = places.get(first + i & places.length() - 1);
            if ((there & ~NUMBER) == fingerprint && there != 0) {
                return (int) (there & NUMBER) - 1;
            }
        }
        return -1;
    }

    private static int place(long fingerprint) {
        return (int) (fingerprint >>> NUMBER_BITS);
    }

    void add(long fingerprint, int slot) {
        int further = 0;
        while (places.get(place(fingerprint) + further & places.length() - 1) != 0) {
            further++;
        }
        reach = Math.max(reach, further);
        places.set(place(fingerprint) + further & places.length() - 1, fingerprint | slot + 1);
    }

    void remove(long fingerprint) {
        int at = place(fingerprint);
        while ((places.get(at & places.length() - 1) & ~NUMBER) != fingerprint) {
            at++;
        }
        places.set(at & places.length() - 1, 0);
    }
}
