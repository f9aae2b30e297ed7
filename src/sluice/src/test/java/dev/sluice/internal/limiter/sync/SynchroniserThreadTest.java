package dev.sluice.internal.limiter.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.RateLimitListener;
import dev.sluice.TestLimits;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.limiter.simulation.CallPattern;
import dev.sluice.internal.limiter.simulation.FleetSimulation;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Sync;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The thread of the background in real time; its clock does what a test wants once the thread asks for the time. */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class SynchroniserThreadTest {

    /** Who has sent a batch. */
    private final BlockingQueue<Thread> senders = new LinkedBlockingQueue<>();

    /** Is run by the thread of the background whenever it asks for the time. */
    private volatile Runnable whenAsked = () -> {};

    private final InstantSource clock = () -> {
        if (Thread.currentThread().getName().equals("sluice-synchroniser")) {
            whenAsked.run();
        }
        return Instant.now();
    };
    private final CounterStore memory = new InMemoryCounterStore(InstantSource.system(), 1_000);
    private final CounterStore store = new CounterStore() {
        @Override
        public CompletionStage<Batch.Reply> exchange(Batch batch) {
            senders.add(Thread.currentThread());
            return memory.exchange(batch);
        }

        @Override
        public void close() {}
    };

    private static Limits limits(double slack) {
        return TestLimits.sharing(
                new SharingOptions(OnFailure.DENY, Duration.ofSeconds(20)),
                FleetSimulation.limits(
                        List.of(List.of(CallPattern.window(5, "PT1H"))),
                        new Sync(Duration.ofSeconds(1), slack, false)));
    }

    private final Synchroniser synchroniser = SynchroniserThread.start(driver -> new Synchroniser(
            store,
            "me",
            new StoreClock(clock, System::nanoTime, System::nanoTime),
            driver,
            SynchroniserThreadTest::await,
            limits(0),
            RateLimitListener.NONE,
            new ExchangeLog()));

    private static void await(CompletableFuture<Boolean> news, long nanos) throws InterruptedException {
        try {
            var unused = news.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return;
        } catch (ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() {
        whenAsked = () -> {};
        synchroniser.close();
    }

    private CountingRateLimiter limiter(double slack) {
        return CountingRateLimiter.sharing(limits(slack), synchroniser, RateLimitListener.NONE, null);
    }

    /** Wherever in a step it is thrown. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void anErrorEndsNoThread(int asksBefore) {
        AtomicInteger asks = new AtomicInteger();
        whenAsked = () -> {
            if (asks.getAndIncrement() == asksBefore) {
                throw new StackOverflowError("thrown by the test");
            }
        };
        CountingRateLimiter limiter = limiter(0);
        assertThat(limiter.decide(FleetSimulation.call("a", 1)).admitted()).isTrue();
        Eventually.await("the error", () -> {
            synchroniser.follow(limits(0)); // wakes the thread, which asks for the time
            return asks.get() > asksBefore;
        });
        assertThat(limiter.decide(FleetSimulation.call("b", 1)).admitted()).isTrue();
    }

    @Test
    void noWakeUpShortensThePauseAfterAnError() throws InterruptedException {
        BlockingQueue<Long> faults = new LinkedBlockingQueue<>();
        whenAsked = () -> {
            faults.add(System.nanoTime());
            throw new IllegalStateException("thrown by the test");
        };
        synchroniser.follow(limits(0));
        long first = faults.take();
        @Nullable Long second = null;
        while (second == null) {
            synchroniser.follow(limits(0)); // wakes it
            second = faults.poll(1, TimeUnit.MILLISECONDS);
        }
        assertThat(Duration.ofNanos(second - first)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void closingDuringAHangingStepRunsNoSecondStep() throws InterruptedException {
        CountingRateLimiter limiter = limiter(0.2);
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        whenAsked = () -> {
            hangs.countDown();
            try {
                goesOn.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
        limiter.decide(FleetSimulation.call("a", 1));
        hangs.await();
        senders.clear();
        limiter.close();
        goesOn.countDown();
        assertThat(senders).doesNotContain(Thread.currentThread());
    }
}
