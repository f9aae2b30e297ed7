package dev.sluice;

import dev.sluice.tier.Limit;

/**
 * How much a call counts: a resolver under the name that the file gives it, and what becomes of its result.
 *
 * @param name as written in the file, for example {@code 5} or {@code header:X-Cost}
 * @param resolver finds what a call takes before it runs
 * @param settling what the application says about the cost later
 */
public record Cost(String name, CostResolver resolver, Settling settling) {

    /** The default: each call counts 1. */
    public static final Cost ONE = fixed(1);

    /** The application charges the cost when it knows it. */
    public static final Cost CHARGED = new Cost("charged", call -> 0, Settling.CHARGED);

    /** What the application says about the cost of a call later, and what holds if it says nothing. */
    public enum Settling {
        /** Nothing: the cost is known before the call. */
        NONE,
        /** The call takes nothing, and passes while anything is left. The application charges what it cost. */
        CHARGED,
        /** The call reserves an estimate, and the application settles what it cost. Otherwise the call keeps its estimate. */
        KEEP,
        /** The same, but a call that ends unsettled gives back what the application has not charged. */
        REFUND
    }

    /** The same for every call. */
    public static Cost fixed(long cost) {
        if (cost < 1 || cost > Limit.MAX_THRESHOLD) {
            throw new IllegalArgumentException("cost " + cost + " is not from 1 to " + Limit.MAX_THRESHOLD);
        }
        return new Cost(String.valueOf(cost), new Fixed(cost), Settling.NONE);
    }

    /** The cost of every call, if it is fixed; otherwise 0. */
    public long each() {
        return resolver instanceof Fixed fixed ? fixed.cost() : 0;
    }

    /** Whether a call takes nothing, and is charged later. */
    public boolean charged() {
        return settling == Settling.CHARGED;
    }

    /** Whether a call reserves an estimate. */
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
