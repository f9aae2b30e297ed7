package dev.sluice.cli.compare;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.limiter.VirtualTimeFleet;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletionStage;

/** Counts how often three instances access a shared store. Runs in virtual time. Not thread-safe. */
final class StoreOperations implements CounterStore {

    private static final int INSTANCES = 3;
    private static final int MOST_CALLS = 100_000;
    private static final int MOST_CALLS_OF_MANY = 2_000;
    private static final Duration USUAL = Duration.ofSeconds(1);
    private static final int EXCHANGES_A_PERIOD = 60;

    private final VirtualTimeFleet fleet;
    private final CounterStore store;
    private long nowMillis;
    private long operations;

    private StoreOperations(Limit limit, int callers, long nowMillis) {
        this.nowMillis = nowMillis;
        // If the period is long, instances communicate with the store less often. Otherwise, playing a month of traffic
        // would take millions of steps.
        Duration seldom = limit.period().dividedBy(EXCHANGES_A_PERIOD);
        Duration every = seldom.compareTo(USUAL) > 0 ? Duration.ofMillis(seldom.toMillis()) : USUAL;
        Sync sync = new Sync(every, Sync.DEFAULT.slack(), false);
        InstantSource clock = () -> Instant.ofEpochMilli(this.nowMillis);
        this.store = new InMemoryCounterStore(clock, 1_000_000);
        Limits limits = VirtualLimiter.limits(new Tier("compared", limit, sync), 2 * callers);
        this.fleet = new VirtualTimeFleet(limits, clock, this, INSTANCES);
    }

    /**
     * Computes the average number of counters that a call reads in the store. If the traffic is long, this method plays
     * only its beginning.
     */
    static double perCall(Limit limit, SampleTraffic traffic) {
        int calls = Math.min(traffic.calls(), traffic.callers() > 1 ? MOST_CALLS_OF_MANY : MOST_CALLS);
        long longest = 3 * limit.period().toMillis(); // during longer pauses, the instances have nothing to exchange
        StoreOperations work = new StoreOperations(limit, traffic.callers(), traffic.moment(0));
        for (int i = 0; i < calls; i++) {
            work.fleet.pass(work.nowMillis, traffic.moment(i), longest, work::stepAt);
            work.fleet.decide(i % INSTANCES, VirtualLimiter.call(VirtualLimiter.name(traffic.caller(i))));
        }
        double perCall = (double) work.operations / calls;
        work.fleet.close();
        return perCall;
    }

    private void stepAt(long moment) {
        nowMillis = moment;
        fleet.step();
    }

    @Override
    public CompletionStage<Batch.Reply> exchange(Batch batch) {
        operations += batch.statements().size();
        return store.exchange(batch);
    }

    /** Does nothing. Each instance closes the store, but the other instances might still be using it. */
    @Override
    public void close() {}
}
