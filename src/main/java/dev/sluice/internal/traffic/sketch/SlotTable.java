package dev.sluice.internal.traffic.sketch;

import dev.sluice.CallerSubjects;
import dev.sluice.Subject;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A hash table from a caller's {@link #fingerprint} to its slot, with linear probing and without a lock. Any thread may
 * read; only one at a time may change it.
 */
final class SlotTable {

    private static final int ENTRIES_PER_SLOT = 4;
    private static final int NUMBER_BITS = 12;
    private static final long NUMBER = (1L << NUMBER_BITS) - 1;

    /** Each entry is the fingerprint, with the slot number plus 1 in its free bits; 0 if empty. */
    private final AtomicLongArray places;
    /** The longest distance between an entry and its first position. */
    private volatile int longestProbe;

    SlotTable(int capacity) {
        if (capacity >= NUMBER) {
            throw new IllegalArgumentException("capacity " + capacity + " must be less than " + NUMBER);
        }
        this.places = new AtomicLongArray(Integer.highestOneBit(capacity * ENTRIES_PER_SLOT - 1) * 2);
    }

    /** The fingerprint of a caller at an endpoint, with its lowest bits zero to make room for a slot's number. */
    static long fingerprint(String endpoint, List<Subject> subjects) {
        return CallerSubjects.fingerprint(endpoint, subjects) & ~NUMBER;
    }

    /** The slot; -1 if there is none. */
    int find(long fingerprint) {
        int first = place(fingerprint);
        for (int i = 0, last = longestProbe; i <= last; i++) {
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
        longestProbe = Math.max(longestProbe, further);
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
