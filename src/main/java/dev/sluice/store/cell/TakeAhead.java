package dev.sluice.store.cell;

/**
 * How much of what is left of a shared limit one instance may take ahead of need: a part, divided by the instances that
 * hold some. So shares shrink to nothing as the limit comes near, whoever takes them, and what is handed out unspent
 * never is all that is left.
 */
public final class TakeAhead {

    /** The part of what is left that may be taken ahead. */
    public static final double PART = 0.7;

    private TakeAhead() {}

    /**
     * How much of what is wanted may be taken ahead.
     *
     * @param wanted what the instance would like to hold
     * @param left of the limit, with what nobody holds
     * @param holders how many instances hold some, the asking one included
     */
    public static long allowed(long wanted, long left, int holders) {
        return Math.max(0, Math.min(wanted, (long) (PART * left / holders)));
    }
}
