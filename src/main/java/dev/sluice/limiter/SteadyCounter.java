package dev.sluice.limiter;

import dev.sluice.CounterKey;
import dev.sluice.Limit;
import dev.sluice.algorithm.Gcra;
import dev.sluice.algorithm.SlidingLog;
import org.jspecify.annotations.Nullable;

/** Counts where time is not cut into windows: calls take from one pool as long as the counter lives. */
final class SteadyCounter extends Counter {

    private final Pool pool;
    private volatile boolean retired;

    private SteadyCounter(CounterFamily family, Object values, long number, Sharing sharing) {
        super(family, values, number, sharing);
        this.pool = isShared(family, sharing)
                ? new Window(this, 0, Window.FOR_EVER, sharing.opening(family.tier()), true, null)
                : pool(family.tier().limit());
    }

    static SteadyCounter begin(CounterFamily family, Object values, long number, Sharing sharing) {
        SteadyCounter counter = new SteadyCounter(family, values, number, sharing);
        if (counter.pool instanceof Window window) {
            sharing.born(window);
        }
        return counter;
    }

    private static boolean isShared(CounterFamily family, Sharing sharing) {
        boolean ownOnly = family.tier().limit() instanceof Limit.Concurrency places
                && places.scope() == Limit.Concurrency.Scope.SERVER;
        return sharing.isShared() && !ownOnly;
    }

    private Pool pool(Limit limit) {
        if (limit instanceof Limit.TokenBucket bucket) {
            return new Bucket(this, Gcra.of(bucket.threshold(), bucket.period().toMillis(), most()), false);
        }
        if (limit instanceof Limit.LeakyBucket bucket) {
            Gcra gcra = Gcra.of(bucket.threshold(), bucket.period().toMillis(), most());
            return new Bucket(this, gcra, bucket.queue() > 0);
        }
        if (limit instanceof Limit.SlidingLog) {
            return new Log(this, new SlidingLog(most(), limit.period().toMillis()));
        }
        if (limit instanceof Limit.Concurrency) {
            return new Places(this, most());
        }
        throw new IllegalStateException(limit.algorithm() + " is counted in windows");
    }

    @Override
    @Nullable Pool at(long nowMillis) {
        return retired ? null : pool;
    }

    @Override
    CounterKey keyAt(long nowMillis) {
        return family.key(subjects, 0, 0);
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
