package dev.sluice.cell;

import dev.sluice.internal.cell.StoreProtocol;

/**
 * How many permits of a shared limit an instance may take before it needs them: half of the remaining permits, divided
 * by the number of instances that hold some, and rounded to the nearest whole number, halves down. So shares shrink
 * near the limit, and nobody takes the last permit ahead. Thread-safe.
 */
public final class TakeAhead {

    private TakeAhead() {}

    /**
     * How many of the wanted permits may be taken ahead.
     *
     * @param wanted how many permits the instance wants to hold
     * @param left how many permits remain that no instance holds
     * @param holders how many instances hold permits, including the one that asks
     */
    public static long allowed(long wanted, long left, int holders) {
        return Math.max(0, Math.min(wanted, (long) Math.ceil(StoreProtocol.PART_AHEAD * left / holders - 0.5)));
    }
}
