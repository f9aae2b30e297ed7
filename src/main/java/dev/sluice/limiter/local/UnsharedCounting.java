package dev.sluice.limiter.local;

import dev.sluice.limiter.counter.Counter;
import dev.sluice.limiter.counter.CounterFamily;
import dev.sluice.limiter.counter.Pool;
import dev.sluice.limiter.counter.Sharing;
import dev.sluice.limiter.counter.Shortage;
import dev.sluice.limiter.counter.WaitResult;
import dev.sluice.limits.Limits;
import java.time.InstantSource;
import java.util.List;

/** Counting in this process alone: by this machine's time, and without waiting. */
public record UnsharedCounting(InstantSource clock) implements Sharing {

    @Override
    public long nowMillis() {
        return clock.millis();
    }

    @Override
    public boolean opensSharedCounters() {
        return false;
    }

    @Override
    public Counter open(CounterFamily family, Object values) {
        return LocalCounters.open(family, values);
    }

    @Override
    public long arrivalNanos() {
        return 0;
    }

    @Override
    public WaitResult await(WaitingAttempt attempt, List<Shortage> shortages, long arrivalNanos) {
        return WaitResult.NOTHING;
    }

    @Override
    public void afterTake(Pool pool, long state) {}

    @Override
    public void requestCheck(Pool pool) {}

    @Override
    public void follow(Limits limits) {}

    @Override
    public void leave() {}

    @Override
    public void close() {}
}
