package dev.sluice.cli.rehearse.tally.client;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/**
 * A row of figures for each caller, which is identified by 64 bits: how often and when it called, and for each period
 * what it asked for in the window that is open. Rows lie side by side, without names, so that a million callers take no
 * more than some hundred megabytes. For one thread.
 */
public final class CallerRows {

    private static final int FINGERPRINT = 0;
    private static final int CALLS = 1;
    private static final int LAST_MILLIS = 2;
    /** The number of its {@link ClientTally}, from 1 on; 0 if it has none. */
    private static final int NAMED = 3;
    /** Where the figures of the first period are. */
    private static final int PERIODS = 4;

    private static final int START = 0;
    private static final int ASKED = 1;
    private static final int ADMITTED = 2;
    private static final int PEAK = 3;
    private static final int OF_PERIOD = 4;

    private static final int SEGMENT_BITS = 10;
    private static final int SEGMENT = 1 << SEGMENT_BITS;

    private final int width;
    private long[][] segments = new long[4][];
    private int end;
    private int[] free = new int[0];
    private int freed;
    /** A hash table by fingerprint: the row plus one. */
    private int[] slots = new int[64];

    private int size;

    CallerRows(int periods) {
        width = PERIODS + periods * OF_PERIOD;
    }

    int size() {
        return size;
    }

    /** The row of that caller; -1 if it has none. */
    int find(long fingerprint) {
        return slots[slot(fingerprint)] - 1;
    }

    /** Gives a caller that has no row an empty one. */
    int add(long fingerprint) {
        if (2 * (size + 1) > slots.length) {
            slots = new int[2 * slots.length];
            placeAll();
        }
        int row = freed > 0 ? free[--freed] : newRow();
        long[] segment = segment(row);
        Arrays.fill(segment, at(row), at(row) + width, 0);
        segment[at(row) + FINGERPRINT] = fingerprint;
        slots[slot(fingerprint)] = row + 1;
        size++;
        return row;
    }

    private int newRow() {
        if (end == segments.length << SEGMENT_BITS) {
            segments = Arrays.copyOf(segments, 2 * segments.length);
        }
        if ((end & SEGMENT - 1) == 0) {
            segments[end >> SEGMENT_BITS] = new long[SEGMENT * width];
        }
        return end++;
    }

    /** Removes all callers but these. */
    void keep(IntPredicate isKept) {
        free = Arrays.copyOf(free, end);
        for (int row = 0; row < end; row++) {
            if (segment(row)[at(row) + FINGERPRINT] != 0 && !isKept.test(row)) {
                segment(row)[at(row) + FINGERPRINT] = 0;
                free[freed++] = row;
                size--;
            }
        }
        Arrays.fill(slots, 0);
        placeAll();
    }

    public void forEach(IntConsumer use) {
        for (int row = 0; row < end; row++) {
            if (fingerprint(row) != 0) {
                use.accept(row);
            }
        }
    }

    private void placeAll() {
        for (int row = 0; row < end; row++) {
            long fingerprint = segment(row)[at(row) + FINGERPRINT];
            if (fingerprint != 0) {
                slots[slot(fingerprint)] = row + 1;
            }
        }
    }

    private int slot(long fingerprint) {
        int slot = (int) (fingerprint ^ fingerprint >>> 32) & slots.length - 1;
        while (slots[slot] != 0 && fingerprint(slots[slot] - 1) != fingerprint) {
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }

    private long[] segment(int row) {
        return segments[row >> SEGMENT_BITS];
    }

    private int at(int row) {
        return (row & SEGMENT - 1) * width;
    }

    private long fingerprint(int row) {
        return segment(row)[at(row) + FINGERPRINT];
    }

    /** Counts a call; how many there are now. */
    public long call(int row, long nowMillis) {
        long[] segment = segment(row);
        int at = at(row);
        segment[at + LAST_MILLIS] = nowMillis;
        return ++segment[at + CALLS];
    }

    long calls(int row) {
        return segment(row)[at(row) + CALLS];
    }

    public long lastMillis(int row) {
        return segment(row)[at(row) + LAST_MILLIS];
    }

    int named(int row) {
        return (int) segment(row)[at(row) + NAMED];
    }

    void setNamed(int row, int number) {
        segment(row)[at(row) + NAMED] = number;
    }

    public long windowStart(int row, int period) {
        return segment(row)[of(row, period) + START];
    }

    public void open(int row, int period, long startMillis) {
        segment(row)[of(row, period) + START] = startMillis;
    }

    public long asked(int row, int period) {
        return segment(row)[of(row, period) + ASKED];
    }

    public long admitted(int row, int period) {
        return segment(row)[of(row, period) + ADMITTED];
    }

    /** The most that was asked for in one window. */
    long peak(int row, int period) {
        return segment(row)[of(row, period) + PEAK];
    }

    /** Adds to the window that is open; what was asked for in it so far. */
    public long ask(int row, int period, long amount, long admitted) {
        long[] segment = segment(row);
        int at = of(row, period);
        long asked = segment[at + ASKED] + amount;
        segment[at + ASKED] = asked;
        segment[at + ADMITTED] += admitted;
        segment[at + PEAK] = Math.max(segment[at + PEAK], asked);
        return asked;
    }

    /** Nothing was asked for in the window any more. */
    public void clear(int row, int period) {
        long[] segment = segment(row);
        int at = of(row, period);
        segment[at + ASKED] = 0;
        segment[at + ADMITTED] = 0;
    }

    private int of(int row, int period) {
        return at(row) + PERIODS + period * OF_PERIOD;
    }
}
