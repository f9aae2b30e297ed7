package dev.sluice.traffic.sketch;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * How many calls callers that are not listed may have had at most: one number for all whose fingerprint leads to the same cell.
 * No number is ever lowered. Safe for any threads; takes no lock and makes no object.
 */
final class UnlistedCalls {

    /** For each caller that can be listed there are so many. The more, the fewer take a place that they lose again. */
    private static final int CELLS_EACH = 8;

    private final AtomicIntegerArray cells;
    private final int shift;

    UnlistedCalls(int capacity) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(capacity * CELLS_EACH - 1);
        this.cells = new AtomicIntegerArray(1 << bits);
        this.shift = Long.SIZE - bits;
    }

    /** By the highest bits; {@link SlotTable} goes by the lowest. */
    private int cell(long fingerprint) {
        return (int) (fingerprint >>> shift);
    }

    /** Counts a call, unless its caller may have had so many already. Whether it was counted. */
    boolean count(long fingerprint, long most) {
        int cell = cell(fingerprint);
        int calls = cells.get(cell);
        while (calls < most && calls < Integer.MAX_VALUE) {
            int seen = cells.compareAndExchange(cell, calls, calls + 1);
            if (seen == calls) {
                return true;
            }
            calls = seen;
        }
        return false;
    }

    /** Somebody with this fingerprint has had so many calls. */
    void raise(long fingerprint, long calls) {
        int most = (int) Math.min(calls, Integer.MAX_VALUE);
        cells.accumulateAndGet(cell(fingerprint), most, Math::max);
    }
}
