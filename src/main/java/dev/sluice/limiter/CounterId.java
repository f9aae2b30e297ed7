package dev.sluice.limiter;

/** What a counter is found by in memory. One is made for each look-up, so it is small. */
final class CounterId {

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
    public boolean equals(Object other) {
        return other instanceof CounterId id
                && id.hash == hash
                && id.family.series == family.series
                && id.values.equals(values);
    }
}
