package dev.sluice.limiter;

/**
 * What a counter is found by in memory. One is made for each look-up, so it is small. It has an order, so that a map finds it among many names
 * with the same hash, which callers can make up, without comparing it with each.
 */
final class CounterId implements Comparable<CounterId> {

    final CounterFamily family;
    /** A string where the family has one subject, otherwise a list of strings. */
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
        return byFamily != 0 ? byFamily : TierAcquisition.compare(values, other.values);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CounterId id
                && id.hash == hash
                && id.family.series == family.series
                && id.values.equals(values);
    }
}
