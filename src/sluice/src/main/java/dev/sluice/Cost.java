package dev.sluice;

import dev.sluice.tier.Limit;

/**
 * How much a call counts. It says how the cost is found before the call runs, and whether the application corrects it
 * afterwards. Immutable and thread-safe.
 *
 * @param name as written in the file, for example {@code 5} or {@code header:X-Cost}
 * @param resolver finds how many permits the call takes before it runs
 * @param settling whether the application reports the real cost later
 */
public record Cost(String name, CostResolver resolver, Settling settling) {

    /** The default: each call counts 1. */
    public static final Cost ONE = fixed(1);

    /** Takes nothing before the call; the application charges the cost through {@link Reservation#charge}. */
    public static final Cost CHARGED = new Cost("charged", call -> 0, Settling.CHARGED);

    /** Whether the application reports the real cost of a call later, and what happens if it does not. */
    public enum Settling {
        /** The application does not report it, because the cost is known before the call. */
        NONE,
        /**
         * The call takes nothing at first, and passes if any permits remain. The application charges its cost later.
         */
        CHARGED,
        /**
         * The call reserves an estimate, and the application settles the real cost. If it does not, the estimate
         * counts.
         */
        KEEP,
        /**
         * Like {@link #KEEP}, but if the application does not settle, the end of the call refunds what was not charged.
         */
        REFUND
    }

    /**
     * The same cost for every call.
     *
     * @throws IllegalArgumentException if the cost is below 1 or above {@link Limit#MAX_THRESHOLD}
     */
    public static Cost fixed(long cost) {
        if (cost < 1 || cost > Limit.MAX_THRESHOLD) {
            throw new IllegalArgumentException("cost must be from 1 to " + Limit.MAX_THRESHOLD + ", but is " + cost);
        }
        return new Cost(String.valueOf(cost), new Fixed(cost), Settling.NONE);
    }

    /** The cost of every call if it is fixed; otherwise 0. */
    public long each() {
        return resolver instanceof Fixed fixed ? fixed.cost() : 0;
    }

    /** Whether calls take nothing at first, and are charged later. */
    public boolean charged() {
        return settling == Settling.CHARGED;
    }

    /** Whether calls reserve an estimate. */
    public boolean reserved() {
        return settling == Settling.KEEP || settling == Settling.REFUND;
    }

    private record Fixed(long cost) implements CostResolver {

        @Override
        public long resolve(Call call) {
            return cost;
        }
    }
}
