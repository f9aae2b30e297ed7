package dev.sluice.store.cell;

/**
 * How much of what is left of a shared limit one instance may take ahead of need: a part, divided by the instances that
 * hold some, and rounded, a half down. So shares shrink to nothing as the limit comes near, whoever takes them, and nobody takes the
 * last permit ahead. A larger part has more
 * permits recalled at the end, a smaller one has them asked for more often.
 */
public final class TakeAhead {

    /** The part of what is left that may be taken ahead. */
    static final double PART = 0.5;

    private TakeAhead() {}

    /**
     * How much of what is wanted may be taken ahead.
     *
     * @param wanted what the instance wants to hold
     * @param left what is left of the limit and held by no instance
     * @param holders how many instances hold some, including the one that asks
     */
    public static long allowed(long wanted, long left, int holders) {
        return Math.max(0, Math.min(wanted, (long) Math.ceil(PART * left / holders - 0.5)));
    }
}
