package dev.sluice.internal.traffic.sketch;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Upper bounds for the calls of unlisted callers: callers with the same cell share one bound. Bounds never decrease.
 * Thread-safe, without locks or allocations.
 */
final class UnlistedCalls {

    /** Cells per slot. With more cells, fewer callers get a slot only to lose it again. */
    private static final int CELLS_PER_SLOT = 8;

    private final AtomicIntegerArray cells;
    private final int shift;

    UnlistedCalls(int capacity) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(capacity * CELLS_PER_SLOT - 1);
        this.cells = new AtomicIntegerArray(1 << bits);
        this.shift = Long.SIZE - bits;
    }

    /** The cell of a fingerprint, by its highest bits; {@link SlotTable} uses the lowest. */
    private int cell(long fingerprint) {
        return (int) (fingerprint >>> shift);
    }

    /** Counts a call, unless the bound has reached {@code most}; returns whether it was counted. */
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

    /** Raises the bound for this fingerprint. */
    void raise(long fingerprint, long calls) {
        int most = (int) Math.min(calls, Integer.MAX_VALUE);
        cells.accumulateAndGet(cell(fingerprint), most, Math::max);
    }
}
