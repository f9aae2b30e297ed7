package dev.sluice.limiter;

import dev.sluice.Batch;
import dev.sluice.Batch.Claim;
import dev.sluice.Call;
import dev.sluice.CounterStore;
import dev.sluice.Decision;
import dev.sluice.Limits;
import dev.sluice.RateLimitListener;
import dev.sluice.RateLimiter;
import dev.sluice.Tier;
import java.time.InstantSource;
import java.util.List;

/**
 * A limiter that counts together with others in a time that its owner sets: what the background does otherwise is done here, at the
 * moments that are told, by whoever asks for it. The store is taken to answer at once. For studies; used by one thread.
 */
public final class SteppedLimiter implements RateLimiter, AutoCloseable {

    private static final long PAUSE_MILLIS = Synchroniser.PAUSE_NANOS / 1_000_000;
    /** A call is not the better for more exchanges than it takes to look at all frames and then to ask. */
    private static final int MOST_EXCHANGES = 3;

    private final Steps sharing;
    private final CountingRateLimiter limiter;

    /**
     * Opens a limiter on that store.
     *
     * @param clock of this instance and of the store
     * @param instance tells this limiter apart from all others on the store
     */
    public SteppedLimiter(Limits limits, InstantSource clock, CounterStore store, String instance) {
        this.sharing = new Steps(limits, clock, store, instance);
        this.limiter = CountingRateLimiter.sharing(limits, sharing, RateLimitListener.NONE);
    }

    @Override
    public Decision decide(Call call) {
        return limiter.decide(call);
    }

    /** When there is something to exchange with the store, in milliseconds since 1970. */
    public long nextMillis() {
        return Math.min(sharing.tickMillis, sharing.rushMillis);
    }

    /** Exchanges what is due now, and nothing if nothing is. */
    public void exchange() {
        sharing.exchange();
    }

    @Override
    public void close() {
        limiter.close();
    }

    /** The background, step by step. */
    private static final class Steps implements Sharing {

        private final InstantSource clock;
        private final CounterStore store;
        private final String instance;
        private final Ledger ledger;
        private final long everyMillis;
        private long sequence;
        private long tickMillis;
        private long rushMillis = Long.MAX_VALUE;

        Steps(Limits limits, InstantSource clock, CounterStore store, String instance) {
            this.clock = clock;
            this.store = store;
            this.instance = instance;
            this.ledger = new Ledger(2 * limits.maximumCounters());
            this.everyMillis = limits.shortestInterval().toMillis();
            this.tickMillis = clock.millis() + everyMillis;
        }

        private void exchange() {
            boolean regular = nowMillis() >= tickMillis;
            if (regular) {
                tickMillis = nowMillis() + everyMillis;
            }
            rushMillis = Long.MAX_VALUE;
            send(regular ? ledger.collectRegular(nowMillis()) : ledger.collectRushed(nowMillis()));
        }

        private void send(List<Claim> claims) {
            if (!claims.isEmpty()) {
                Batch batch = new Batch(instance, ++sequence, claims);
                Batch.Reply reply = store.exchange(batch).toCompletableFuture().join();
                ledger.apply(claims, reply.grants(), nowMillis());
            }
            if (ledger.hasNotes()) {
                rushSoon();
            }
        }

        private void rushSoon() {
            rushMillis = Math.min(rushMillis, nowMillis() + PAUSE_MILLIS);
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
            ledger.noteBorn(window);
            rushSoon();
        }

        @Override
        public void due(Window window) {
            ledger.noteDue(window);
            rushSoon();
        }

        @Override
        public Hope await(Window window, long cost) {
            Window.Shared shared = window.shared;
            if (shared == null || !shared.isHopeful(nowMillis())) {
                due(window);
                return Hope.NONE;
            }
            shared.awaited.addAndGet(cost);
            try {
                for (int i = 0; i < MOST_EXCHANGES && window.permits.left() < cost; i++) {
                    ledger.noteDue(window);
                    send(ledger.collectRushed(nowMillis()));
                }
            } finally {
                shared.awaited.addAndGet(-cost);
            }
            return window.permits.left() < cost ? Hope.NONE : Hope.AGAIN;
        }

        @Override
        public void follow(Limits limits) {}

        @Override
        public void close() {}
    }
}
