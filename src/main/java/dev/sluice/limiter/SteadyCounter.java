package dev.sluice.limiter;

import dev.sluice.Limit;
import dev.sluice.algorithm.SlidingLog;
import org.jspecify.annotations.Nullable;

/** Counts where calls take from one pool as long as the counter lives: one that time does not cut, or that sees to the cutting itself. */
final class SteadyCounter extends Counter {

    private final Pool pool;
    private volatile boolean retired;

    private SteadyCounter(CounterFamily family, Object values, long number) {
        super(family, values, number);
        this.pool = isShared(family)
                ? new Window(this, 0, Window.FOR_EVER, family.sharing.opening(family.tier()), true, null)
                : pool(family.tier().limit());
    }

    static SteadyCounter begin(CounterFamily family, Object values, long number) {
        SteadyCounter counter = new SteadyCounter(family, values, number);
        if (counter.pool instanceof Window window) {
            family.sharing.born(window);
        }
        return counter;
    }

    private static boolean isShared(CounterFamily family) {
        boolean ownOnly = family.tier().limit() instanceof Limit.Concurrency places
                && places.scope() == Limit.Concurrency.Scope.SERVER;
        return family.sharing.isShared() && !ownOnly;
    }

    private Pool pool(Limit limit) {
        if (limit instanceof Limit.SlidingLog) {
            return new Log(this, new SlidingLog(most(), limit.period().toMillis()));
        }
        if (limit instanceof Limit.Concurrency) {
            return new Places(this, most());
        }
        return new Cell(this);
    }

    @Override
    @Nullable Pool at(long nowMillis) {
        return retired ? null : pool;
    }

    @Override
    boolean mostlySpent(long nowMillis) {
        return pool instanceof Places places ? places.isUsed() : pool.leftInProportion(nowMillis) < 0.5;
    }

    @Override
    boolean retireIfIdle(long nowMillis) {
        boolean idle = pool.closeIfIdle(nowMillis);
        retired = retired || idle;
        return idle;
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
