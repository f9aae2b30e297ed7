package dev.sluice.cli.rehearse.tally.client;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/**
 * A row of figures for each caller, told apart by 64 bits of each: how often and when it called, and for each span what
 * it asked for in the window that is open. Rows lie side by side, without names, so that a million callers take no more
 * than some hundred megabytes. For one thread.
 */
public final class CallerTable {

    private static final int MARK = 0;
    private static final int CALLS = 1;
    private static final int LAST_MILLIS = 2;
    /** Which one it is of those that are kept by name, from 1 on; 0 if none. */
    private static final int NAMED = 3;
    /** Where the figures of the first span are. */
    private static final int SPANS = 4;

    private static final int START = 0;
    private static final int ASKED = 1;
    private static final int ADMITTED = 2;
    private static final int PEAK = 3;
    private static final int OF_SPAN = 4;

    private static final int SEGMENT_BITS = 10;
    private static final int SEGMENT = 1 << SEGMENT_BITS;

    private final int width;
    private long[][] segments = new long[4][];
    private int end;
    private int[] free = new int[0];
    private int freed;
    /** By a few bits of the mark: the row and one. */
    private int[] slots = new int[64];

    private int size;

    CallerTable(int spans) {
        width = SPANS + spans * OF_SPAN;
    }

    int size() {
        return size;
    }

    /** The row of that caller; -1 if it has none. */
    int find(long mark) {
        return slots[slot(mark)] - 1;
    }

    /** Gives a caller that has no row an empty one. */
    int add(long mark) {
        if (2 * (size + 1) > slots.length) {
            slots = new int[2 * slots.length];
            placeAll();
        }
        int row = freed > 0 ? free[--freed] : newRow();
        long[] segment = segment(row);
        Arrays.fill(segment, at(row), at(row) + width, 0);
        segment[at(row) + MARK] = mark;
        slots[slot(mark)] = row + 1;
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

    /** Takes out all callers of whom this is not so. */
    void keep(IntPredicate isKept) {
        free = Arrays.copyOf(free, end);
        for (int row = 0; row < end; row++) {
            if (segment(row)[at(row) + MARK] != 0 && !isKept.test(row)) {
                segment(row)[at(row) + MARK] = 0;
                free[freed++] = row;
                size--;
            }
        }
        Arrays.fill(slots, 0);
        placeAll();
    }

    public void forEach(IntConsumer use) {
        for (int row = 0; row < end; row++) {
            if (mark(row) != 0) {
                use.accept(row);
            }
        }
    }

    private void placeAll() {
        for (int row = 0; row < end; row++) {
            long mark = segment(row)[at(row) + MARK];
            if (mark != 0) {
                slots[slot(mark)] = row + 1;
            }
        }
    }

    private int slot(long mark) {
        int slot = (int) (mark ^ mark >>> 32) & slots.length - 1;
        while (slots[slot] != 0 && mark(slots[slot] - 1) != mark) {
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

    private long mark(int row) {
        return segment(row)[at(row) + MARK];
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

    public long windowStart(int row, int span) {
        return segment(row)[of(row, span) + START];
    }

    public void open(int row, int span, long startMillis) {
        segment(row)[of(row, span) + START] = startMillis;
    }

    public long asked(int row, int span) {
        return segment(row)[of(row, span) + ASKED];
    }

    public long admitted(int row, int span) {
        return segment(row)[of(row, span) + ADMITTED];
    }

    /** The most that was asked for in one window. */
    long peak(int row, int span) {
        return segment(row)[of(row, span) + PEAK];
    }

    /** Adds to the window that is open; what was asked for in it so far. */
    public long ask(int row, int span, long amount, long admitted) {
        long[] segment = segment(row);
        int at = of(row, span);
        long asked = segment[at + ASKED] + amount;
        segment[at + ASKED] = asked;
        segment[at + ADMITTED] += admitted;
        segment[at + PEAK] = Math.max(segment[at + PEAK], asked);
        return asked;
    }

    /** Nothing was asked for in the window any more. */
    public void clear(int row, int span) {
        long[] segment = segment(row);
        int at = of(row, span);
        segment[at + ASKED] = 0;
        segment[at + ADMITTED] = 0;
    }

    private int of(int row, int span) {
        return at(row) + SPANS + span * OF_SPAN;
    }
}
