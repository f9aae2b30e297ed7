package dev.sluice.cell;

import dev.sluice.internal.cell.StoreProtocol;

/**
 * Calculates how many permits of a shared limit an instance may take before it needs them. The result is half of the
 * remaining permits, divided by the number of instances that hold some. It is rounded to the nearest whole number, and
 * halves are rounded down. Shares therefore shrink near the limit, and no instance takes the last permit ahead.
 * Thread-safe.
 */
public final class TakeAhead {

    private TakeAhead() {}

    /**
     * The number of wanted permits that the instance may take ahead.
     *
     * @param wanted how many permits the instance wants to hold
     * @param left the number of remaining permits, not including those that instances hold
     * @param holders how many instances hold permits, including the requesting instance
     */
    public static long allowed(long wanted, long left, int holders) {
        return Math.max(0, Math.min(wanted, (long) Math.ceil(StoreProtocol.PART_AHEAD * left / holders - 0.5)));
    }
}
