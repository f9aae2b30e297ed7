package dev.sluice.limiter.shared;

import dev.sluice.limiter.counter.CounterFamily;
import org.jspecify.annotations.Nullable;

/** A counter that instances share and that time does not cut into windows: it has one pool as long as it lives. */
final class SharedLastingCounter extends SharedCounter {

    private final SharedPool pool;
    private volatile boolean retired;

    SharedLastingCounter(CounterFamily family, Object values, Background background) {
        super(family, values, background);
        long lent = background.lentAtFirst(family.tier, most());
        this.pool = new SharedPool(this, 0, SharedPool.FOR_EVER, lent, background.phaseAtFirst(), new long[0]);
    }

    @Override
    @Nullable public SharedPool at(long nowMillis) {
        return retired ? null : pool;
    }

    @Override
    public boolean isWorthKeeping(long nowMillis) {
        return pool.isMostlySpent(nowMillis);
    }

    @Override
    public boolean retireIfIdle(long nowMillis) {
        if (!retired && pool.isIdle(nowMillis)) {
            retire();
        }
        return retired;
    }

    @Override
    public void retire() {
        retired = true;
        pool.close();
    }

    @Override
    public boolean isRetired() {
        return retired;
    }
}
