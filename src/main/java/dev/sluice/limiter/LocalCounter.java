package dev.sluice.limiter;

import org.jspecify.annotations.Nullable;

/** Counts in this process alone, in one pool as long as it lives: itself. */
abstract sealed class LocalCounter extends Counter implements Pool
        permits SingleWordCounter, LocalLog, ConcurrencyPlaces {

    LocalCounter(CounterFamily family, Object values) {
        super(family, values);
    }

    LocalCounter(CounterFamily family, Counter before) {
        super(family, before);
    }

    @Override
    public final Counter counter() {
        return this;
    }

    @Override
    final @Nullable Pool at(long nowMillis) {
        return isRetired() ? null : this;
    }

    @Override
    boolean mostlySpent(long nowMillis) {
        return isMostlySpent(nowMillis);
    }
}
