package dev.sluice.limiter.memory;

import dev.sluice.limiter.counter.CounterFamily;
import java.util.List;

/**
 * What a counter is found by in memory. One is made for each look-up, so it is small. It has an order, so that a map
 * finds it among many names with the same hash, which callers can make up, without comparing it with each.
 */
public final class CounterId implements Comparable<CounterId> {

    public final CounterFamily family;
    /** A string where the family has one subject, otherwise a list of strings. */
    public final Object values;

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

    /** The order of callers of one family: of names, or of lists of them. */
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
