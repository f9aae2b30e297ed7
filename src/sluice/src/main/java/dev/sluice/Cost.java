package dev.sluice;

import dev.sluice.tier.Limit;

/**
 * Defines how the cost of a call is determined before the call runs, and whether the application corrects it
 * afterwards. Immutable and thread-safe.
 *
 * @param name the cost as written in the file, for example {@code 5} or {@code header:X-Cost}
 * @param resolver the resolver that determines how many permits the call takes before it runs
 * @param settling whether the application reports the real cost later
 */
public record Cost(String name, CostResolver resolver, Settling settling) {

    /** The default: each call costs 1. */
    public static final Cost ONE = fixed(1);

    /**
     * A cost that is unknown before the call. The call takes no permits at first, and the application charges the cost
     * with {@link Reservation#charge}.
     */
    public static final Cost CHARGED = new Cost("charged", call -> 0, Settling.CHARGED);

    /** Determines whether the application reports the real cost of a call later, and what happens if it does not. */
    public enum Settling {
        /** The application does not report the cost, because it is known before the call. */
        NONE,
        /**
         * The call takes no permits at first, and passes if any permits remain. The application charges the cost later.
         */
        CHARGED,
        /**
         * The call reserves an estimate, and the application settles the real cost later. If the application never
         * settles the cost, the estimate is counted.
         */
        KEEP,
        /**
         * Like {@link #KEEP}, but if the application never settles the cost, the uncharged part is refunded when the
         * call ends.
         */
        REFUND
    }

    /**
     * Creates a cost that is the same for every call.
     *
     * @throws IllegalArgumentException if the cost is below 1 or above {@link Limit#MAX_THRESHOLD}
     */
    public static Cost fixed(long cost) {
        if (cost < 1 || cost > Limit.MAX_THRESHOLD) {
            throw new IllegalArgumentException("cost must be from 1 to " + Limit.MAX_THRESHOLD + ", but is " + cost);
        }
        return new Cost(String.valueOf(cost), new Fixed(cost), Settling.NONE);
    }

    /** The cost of each call if the cost is fixed; otherwise 0. */
    public long each() {
        return resolver instanceof Fixed fixed ? fixed.cost() : 0;
    }

    /** Whether calls take no permits at first and are charged later. */
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
