package dev.sluice.limiter;

import org.jspecify.annotations.Nullable;

/** A counter that instances share and that time does not cut into windows: it has one pool as long as it lives. */
final class SharedCounter extends Counter {

    private final SharedPool pool;
    private volatile boolean retired;

    SharedCounter(CounterFamily family, Object values) {
        super(family, values);
        long lent = family.sharing.lentAtFirst(family.tier, most());
        this.pool = new SharedPool(this, 0, SharedPool.FOR_EVER, lent, family.sharing.isStoreAway(), new long[0]);
    }

    @Override
    @Nullable SharedPool at(long nowMillis) {
        return retired ? null : pool;
    }

    @Override
    boolean mostlySpent(long nowMillis) {
        return pool.isMostlySpent(nowMillis);
    }

    @Override
    boolean retireIfIdle(long nowMillis) {
        if (!retired && pool.isIdle(nowMillis)) {
            retire();
        }
        return retired;
    }

    @Override
    void retire() {
        retired = true;
        pool.close();
    }

    @Override
    boolean isRetired() {
        return retired;
    }
}
