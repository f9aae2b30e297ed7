package dev.sluice.cli;

import dev.sluice.Batch;
import dev.sluice.Call;
import dev.sluice.CounterStore;
import dev.sluice.Limit;
import dev.sluice.Limits;
import dev.sluice.Sync;
import dev.sluice.Tier;
import dev.sluice.limiter.SteppedLimiter;
import dev.sluice.store.InMemoryCounterStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Three instances that count together through a store in virtual time, and what they ask of it. */
final class StoreWork implements InstantSource, CounterStore {

    private static final int INSTANCES = 3;
    private static final int MOST_CALLS = 100_000;
    private static final Duration USUAL = Duration.ofSeconds(1);
    private static final int EXCHANGES_A_PERIOD = 60;

    private final List<SteppedLimiter> fleet = new ArrayList<>();
    private final CounterStore store = new InMemoryCounterStore(this, 1_000);
    private final long patienceMillis;
    private long nowMillis;
    private long operations;

    private StoreWork(Limit limit, long nowMillis) {
        this.nowMillis = nowMillis;
        this.patienceMillis = 3 * limit.period().toMillis();
        boolean strict = limit instanceof Limit.SlidingLog;
        Duration seldom = limit.period().dividedBy(EXCHANGES_A_PERIOD);
        Duration every = seldom.compareTo(USUAL) > 0 ? Duration.ofMillis(seldom.toMillis()) : USUAL;
        Sync sync = new Sync(every, strict ? 0 : Sync.DEFAULT.slack(), strict);
        Limits limits = VirtualLimiter.limits(new Tier("compared", limit, sync));
        for (int i = 0; i < INSTANCES; i++) {
            fleet.add(new SteppedLimiter(limits, this, this, "instance-" + i));
        }
    }

    /** How many counters are asked about in the store for each call; of long traffic, the beginning. */
    static double perCall(Limit limit, Traffic traffic) {
        int calls = Math.min(traffic.calls(), MOST_CALLS);
        try (StoreWork work = new StoreWork(limit, traffic.moment(0))) {
            Call call = VirtualLimiter.call("all");
            for (int i = 0; i < calls; i++) {
                work.passUntil(traffic.moment(i));
                work.fleet.get(i % INSTANCES).decide(call);
            }
            return (double) work.operations / calls;
        }
    }

    /** Time passes, and instances exchange when they have to; after some periods without a call they have said all there is to say. */
    private void passUntil(long moment) {
        long quiet = nowMillis + patienceMillis;
        for (SteppedLimiter next = earliest(); next.nextMillis() <= Math.min(moment, quiet); next = earliest()) {
            nowMillis = Math.max(nowMillis, next.nextMillis());
            next.exchange();
        }
        nowMillis = moment;
    }

    private SteppedLimiter earliest() {
        SteppedLimiter earliest = fleet.get(0);
        for (SteppedLimiter limiter : fleet) {
            if (limiter.nextMillis() < earliest.nextMillis()) {
                earliest = limiter;
            }
        }
        return earliest;
    }

    @Override
    public CompletionStage<Batch.Reply> exchange(Batch batch) {
        operations += batch.claims().size();
        return store.exchange(batch);
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(nowMillis);
    }

    @Override
    public long millis() {
        return nowMillis;
    }

    @Override
    public void close() {
        fleet.forEach(SteppedLimiter::close);
        store.close();
    }
}
