package dev.sluice.internal.limiter.fleet;

import static dev.sluice.TestLimits.endpoint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Limits change, again and again, while calls of several threads wait for the store: all of them pass. */
class ChangedWhileCallsWaitTest {

    private static final int THREADS = 8;
    private static final int CHANGES = 40;
    private static final int CALLS_BETWEEN = 25;
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final TestCall CALL = TestCall.get("/a").of("acme");

    private static Limits allowing(long threshold) {
        Limit limit = new Limit.FixedWindow(threshold, Duration.ofDays(366));
        Tier strict = new Tier("t", limit, new Sync(Sync.DEFAULT.every(), 0, true));
        return TestLimits.sharing(
                new SharingOptions(SharingOptions.OnFailure.DENY, PATIENCE),
                TestLimits.of(endpoint("e", "/a", strict)));
    }

    @Test
    void noCallIsRefusedAndNoneWaitsLong() throws Exception {
        CounterStore store = new DistantStore(new InMemoryCounterStore(InstantSource.system(), 1_000));
        AtomicInteger decided = new AtomicInteger();
        Queue<Decision> refused = new ConcurrentLinkedQueue<>();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        Limits first = allowing(1_000_000);
        try (CountingRateLimiter one = open(first, store, "one");
                CountingRateLimiter other = open(first, store, "other")) {
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                CountingRateLimiter asked = i % 2 == 0 ? one : other;
                callers.add(CompletableFuture.runAsync(
                        () -> {
                            while (decided.getAndIncrement() < CHANGES * CALLS_BETWEEN) {
                                Decision decision = asked.decide(CALL);
                                if (!decision.admitted()) {
                                    refused.add(decision);
                                }
                            }
                        },
                        threads));
            }
            for (int change = 1; change < CHANGES; change++) {
                Limits next = allowing(1_000_000 + change);
                one.replace(next);
                other.replace(next);
                while (decided.get() < change * CALLS_BETWEEN && refused.isEmpty()) {
                    Thread.onSpinWait();
                }
            }
            for (CompletableFuture<Void> caller : callers) {
                caller.get(10 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdown();
        }
        assertThat(refused).isEmpty();
    }

    private static CountingRateLimiter open(Limits limits, CounterStore store, String name) {
        return new CountingRateLimiter(limits, InstantSource.system(), RateLimitListener.NONE, store, name, null);
    }

    /** Answers a moment later, so that calls wait. */
    private record DistantStore(CounterStore store) implements CounterStore {

        private static final Executor LATER = CompletableFuture.delayedExecutor(500, TimeUnit.MICROSECONDS);

        @Override
        public CompletionStage<Batch.Reply> exchange(Batch batch) {
            return CompletableFuture.supplyAsync(() -> store.exchange(batch), LATER)
                    .thenCompose(reply -> reply)
                    .thenApplyAsync(reply -> reply, LATER);
        }

        @Override
        public void subscribe(String instance, Consumer<News> listener) {
            store.subscribe(instance, listener);
        }

        @Override
        public void unsubscribe(String instance) {
            store.unsubscribe(instance);
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
