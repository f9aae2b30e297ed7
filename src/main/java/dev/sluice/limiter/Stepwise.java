package dev.sluice.limiter;

import dev.sluice.Batch;
import dev.sluice.Batch.Claim;
import dev.sluice.CounterStore;
import dev.sluice.Limits;
import dev.sluice.Tier;
import java.time.InstantSource;
import java.util.List;

/**
 * Counts together with others in whatever time the clock tells: nothing runs in the background, and whoever moves the clock calls
 * {@link #step} as often as it should look for what is due. The store has to answer at once. For one thread.
 */
final class Stepwise implements Sharing {

    private final CounterStore store;
    private final String instance;
    private final InstantSource clock;
    private final Ledger ledger;
    private final long tickMillis;
    private long sequence;
    private long nextTickMillis;

    Stepwise(CounterStore store, String instance, InstantSource clock, Limits limits) {
        this.store = store;
        this.instance = instance;
        this.clock = clock;
        this.ledger = new Ledger(limits.maximumCounters());
        this.tickMillis = limits.shortestInterval().toMillis();
        this.nextTickMillis = clock.millis() + tickMillis;
    }

    /** Exchanges what is due at this moment, if anything is. */
    void step() {
        long now = clock.millis();
        if (now >= nextTickMillis) {
            nextTickMillis = now + tickMillis;
            exchange(ledger.collectRegular(now));
        } else if (ledger.notes.any()) {
            exchange(ledger.collectRushed(now));
        }
    }

    private void exchange(List<Claim> claims) {
        if (!claims.isEmpty()) {
            Batch batch = new Batch(instance, ++sequence, claims);
            Batch.Reply reply = store.exchange(batch).toCompletableFuture().join();
            ledger.apply(claims, reply.grants(), clock.millis());
        }
    }

    @Override
    public long nowMillis() {
        return clock.millis();
    }

    @Override
    public long opening(Tier tier) {
        return tier.sync().slackOf(tier.limit().threshold());
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public void born(Window window) {
        boolean unused = ledger.notes.born(window);
    }

    @Override
    public void due(Window window) {
        boolean unused = ledger.notes.due(window);
    }

    /** The answer is there at once. Where it brings nothing, there is nothing to wait for. */
    @Override
    public Hope await(Window window, long cost) {
        Window.Shared shared = window.shared;
        if (shared == null || !shared.isHopeful(clock.millis())) {
            due(window);
            return Hope.NONE;
        }
        shared.awaited.addAndGet(cost);
        due(window);
        for (int exchanges = 0; exchanges < 3 && window.permits.left() < cost; exchanges++) {
            exchange(ledger.collectRushed(clock.millis()));
        }
        shared.awaited.addAndGet(-cost);
        return window.permits.left() < cost ? Hope.NONE : Hope.AGAIN;
    }

    @Override
    public void follow(Limits limits) {}

    @Override
    public void close() {
        List<Claim> last = ledger.collectLast(clock.millis());
        while (!last.isEmpty()) {
            exchange(last);
            last = ledger.collectLast(clock.millis());
        }
        store.close();
    }
}
