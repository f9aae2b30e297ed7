package dev.sluice.store.cell;

/**
 * How much of what is left of a shared limit one instance may take ahead of need: a part, divided by the number of
 * instances that hold some. So shares shrink to nothing as the limit is used up, and unspent permits are never all that
 * is left.
 */
public final class TakeAhead {

    /** The part of what is left that may be taken ahead. */
    public static final double PART = 0.7;

    private TakeAhead() {}

    /**
     * How much of what is wanted may be taken ahead.
     *
     * @param wanted what the instance wants to hold
     * @param left what is left of the limit and held by no instance
     * @param holders how many instances hold some, including the one that asks
     */
    public static long allowed(long wanted, long left, int holders) {
        return Math.max(0, Math.min(wanted, (long) (PART * left / holders)));
    }
}
