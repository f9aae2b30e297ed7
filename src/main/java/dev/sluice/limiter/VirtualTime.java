package dev.sluice.limiter;

import dev.sluice.Call;
import dev.sluice.CounterStore;
import dev.sluice.Decision;
import dev.sluice.Limits;
import dev.sluice.RateLimitListener;
import dev.sluice.RateLimiter;
import java.time.InstantSource;

/**
 * A limiter that counts together with others in whatever time a clock tells, for studies of a day in a second: nothing runs in the
 * background. The store has to answer at once, as the one in memory does. For one thread.
 */
public final class VirtualTime implements RateLimiter, AutoCloseable {

    private final Stepwise sharing;
    private final CountingRateLimiter limiter;

    /**
     * Opens one of a fleet.
     *
     * @param store is closed with the limiter
     * @param instance tells this limiter apart from all others on the store
     */
    public VirtualTime(Limits limits, InstantSource clock, CounterStore store, String instance) {
        this.sharing = new Stepwise(store, instance, clock, limits);
        this.limiter = CountingRateLimiter.sharing(limits, sharing, RateLimitListener.NONE);
    }

    /** Does what would have been done in the background by now. Called at least once for each hundredth of a second or call. */
    public void step() {
        sharing.step();
    }

    @Override
    public Decision decide(Call call) {
        return limiter.decide(call);
    }

    @Override
    public void close() {
        limiter.close();
    }
}
