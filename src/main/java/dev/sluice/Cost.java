package dev.sluice;

import dev.sluice.tier.Limit;

/**
 * How much a call counts for: a resolver under the name the file gives it.
 *
 * @param name as written in the file, for example {@code 5} or {@code header:X-Cost}
 * @param resolver finds the cost of a call
 * @param charged whether the application charges the cost afterwards: a call then passes while anything is left
 */
public record Cost(String name, CostResolver resolver, boolean charged) {

    /** What an endpoint gets that says nothing. */
    public static final Cost ONE = fixed(1);

    /** Charged by the application when it knows. */
    public static final Cost CHARGED = new Cost("charged", call -> 0, true);

    /** The same for every call. */
    public static Cost fixed(long cost) {
        if (cost < 1 || cost > Limit.MAX_THRESHOLD) {
            throw new IllegalArgumentException("cost " + cost + " is not from 1 to " + Limit.MAX_THRESHOLD);
        }
        return new Cost(String.valueOf(cost), new Fixed(cost), false);
    }

    /** What every call counts for, if that is known beforehand; otherwise 0. */
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
