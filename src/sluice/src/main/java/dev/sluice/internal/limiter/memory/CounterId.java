package dev.sluice.internal.limiter.memory;

import dev.sluice.internal.limiter.counter.CounterFamily;
import java.util.List;

/**
 * The key of a counter in memory. A key is small, because each look-up creates one. Keys have a total order, so that
 * hash maps stay fast even if callers construct many keys with equal hashes. Immutable.
 */
public final class CounterId implements Comparable<CounterId> {

    final CounterFamily family;
    /** The value of the only subject as a string, or the list of values if there are several subjects. */
    final Object values;

    private final int hash;

    CounterId(CounterFamily family, Object values) {
        this.family = family;
        this.values = values;
        this.hash = family.hash + values.hashCode();
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public int compareTo(CounterId other) {
        int byFamily = Long.compare(family.series.number, other.family.series.number);
        return byFamily != 0 ? byFamily : compare(values, other.values);
    }

    /** Compares two callers of one family by their value or their list of values. */
    public static int compare(Object some, Object others) {
        if (some instanceof String text) {
            return text.compareTo((String) others);
        }
        List<?> names = (List<?>) some;
        List<?> otherNames = (List<?>) others;
        int order = 0;
        for (int i = 0; i < names.size() && order == 0; i++) {
            order = ((String) names.get(i)).compareTo((String) otherNames.get(i));
        }
        return order;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CounterId id
                && id.hash == hash
                && id.family.series == family.series
                && id.values.equals(values);
    }
}
