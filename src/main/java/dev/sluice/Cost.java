package dev.sluice;

import dev.sluice.tier.Limit;

/**
 * How much a call counts: a resolver under the name that the file gives it.
 *
 * @param name as written in the file, for example {@code 5} or {@code header:X-Cost}
 * @param resolver finds the cost of a call
 * @param charged whether the application charges the cost afterwards; such a call passes while anything is left
 */
public record Cost(String name, CostResolver resolver, boolean charged) {

    /** The default: each call counts 1. */
    public static final Cost ONE = fixed(1);

    /** The application charges the cost when it knows it. */
    public static final Cost CHARGED = new Cost("charged", call -> 0, true);

    /** The same for every call. */
    public static Cost fixed(long cost) {
        if (cost < 1 || cost > Limit.MAX_THRESHOLD) {
            throw new IllegalArgumentException("cost " + cost + " is not from 1 to " + Limit.MAX_THRESHOLD);
        }
        return new Cost(String.valueOf(cost), new Fixed(cost), false);
    }

    /** The cost of every call, if it is fixed; otherwise 0. */
    public long each() {
        return resolver instanceof Fixed fixed ? fixed.cost() : 0;
    }

    private record Fixed(long cost) implements CostResolver {

        @Override
        public long resolve(Call call) {
            return cost;
        }
    }
}
