package dev.sluice.benchmarks;

import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.limiter.CounterHeap;
import dev.sluice.internal.limiter.VirtualTimeFleet;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.tier.Limit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/**
 * The cost of an exchange, per statement of its batch. An exchange consists of finding the due counters, creating the
 * batch, applying it in the in-memory store, and applying the grants. The production code runs in virtual time. Each
 * caller makes one call per second. These calls are not measured, but the subsequent work of the background thread is.
 * With Redis, a script would replace the in-memory store; {@code fleet.Experiment} measures that script.
 */
final class ExchangeWork implements Turns.Contestant {

    private static final int CALLERS = 1_000;
    private static final int SECONDS_OF_A_TURN = 8;
    private static final Duration SOON = Duration.ofMillis(10);
    private static final Duration REST = Duration.ofSeconds(1).minus(SOON);

    private final TestClock clock = new TestClock(0);
    private final CountingStore store = new CountingStore(new InMemoryCounterStore(clock, 10 * CALLERS));
    private final List<TestCall> calls = IntStream.range(0, CALLERS).mapToObj(CounterHeap::call).toList();
    private final VirtualTimeFleet fleet = new VirtualTimeFleet(
            CounterHeap.limits(CALLERS, new Limit.FixedWindow(Endpoints.PLENTY, CounterHeap.WINDOW)), clock, store, 1);

    @Override
    public double turn() {
        long nanos = 0;
        long before = store.statements;
        for (int second = 0; second < SECONDS_OF_A_TURN; second++) {
            for (TestCall call : calls) {
                if (!fleet.decide(0, call).admitted()) {
                    throw new IllegalStateException("a call was refused");
                }
            }
            nanos += background(SOON) + background(REST);
        }
        return (double) nanos / (store.statements - before);
    }

    private long background(Duration time) {
        clock.advance(time);
        long before = Turns.cpuNanos();
        fleet.step();
        return Turns.cpuNanos() - before;
    }

    private static final class CountingStore implements CounterStore {
        private final CounterStore store;
        private long statements;

        private CountingStore(CounterStore store) {
            this.store = store;
        }

        @Override
        public CompletionStage<Batch.Reply> exchange(Batch batch) {
            statements += batch.statements().size();
            return store.exchange(batch);
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
