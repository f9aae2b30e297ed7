package dev.sluice.cell;

import dev.sluice.internal.cell.StoreProtocol;

/**
 * Calculates how many permits of a shared limit an instance can take ahead, that is, before its calls need them. The
 * result is half of the remaining permits, divided by the number of instances that hold permits. It is rounded to the
 * nearest whole number, with halves rounded down. Shares therefore shrink near the limit, and no instance takes the
 * last permit ahead. Thread-safe.
 */
public final class TakeAhead {

    private TakeAhead() {}

    /**
     * The number of permits that the instance can take ahead.
     *
     * @param wanted the number of permits that the instance wants
     * @param left the number of remaining permits, excluding those that instances hold
     * @param holders the number of instances that hold permits, including the requesting instance
     */
    public static long allowed(long wanted, long left, int holders) {
        return Math.max(0, Math.min(wanted, (long) Math.ceil(StoreProtocol.PART_AHEAD * left / holders - 0.5)));
    }
}
