package dev.sluice.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.tier.Sync;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The thread on which Lettuce reads answers stands still for longer than {@code sync.timeout}, while Redis is well. */
@Tag("store")
class StalledClientTest {

    private static final Duration TIMEOUT = Duration.ofMillis(60);
    private static final Duration STALL = Duration.ofMillis(200);
    private static final int STALLS = 5;

    private static RedisServer redis;

    private long sequence;

    @BeforeAll
    static void start() {
        redis = RedisServer.open();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @Test
    void isNoSilenceOfTheStore() throws InterruptedException {
        Limits limits = Fleet.limits(
                new SharingOptions(SharingOptions.OnFailure.DENY, TIMEOUT),
                Fleet.tier(5, Duration.ofHours(1), new Sync(Duration.ofSeconds(1), 0, true)));
        CounterStore store = CounterStores.open("redis://127.0.0.1:" + redis.port());
        try (LogLines log = new LogLines();
                CountingRateLimiter limiter = new CountingRateLimiter(
                        limits, InstantSource.system(), RateLimitListener.NONE, store, "me", null)) {
            for (int i = 1; i <= STALLS; i++) {
                long began = stallClient(store);
                boolean admitted = limiter.decide(TestCall.get("/a").of("acme")).admitted();
                assertThat(System.nanoTime() - began).as("waited").isGreaterThan(TIMEOUT.toNanos());
                assertThat(admitted).as("call %d of 5", i).isTrue();
            }
            assertThat(log.with("WARN")).isEmpty();
        }
    }

    /** Returns once the thread that has read an answer stands still; it goes on after a while. */
    private long stallClient(CounterStore store) throws InterruptedException {
        Thread me = Thread.currentThread();
        CountDownLatch stands = new CountDownLatch(1);
        CountDownLatch nobody = new CountDownLatch(1);
        while (true) {
            var answered = store.exchange(new Batch("another", ++sequence, List.of()))
                    .thenApply(reply -> {
                        if (Thread.currentThread() == me) {
                            return false; // the answer was quicker than this thread
                        }
                        stands.countDown();
                        try {
                            return !nobody.await(STALL.toMillis(), TimeUnit.MILLISECONDS);
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    });
            if (answered.toCompletableFuture().getNow(true)) {
                assertThat(stands.await(10, TimeUnit.SECONDS)).isTrue();
                return System.nanoTime();
            }
        }
    }
}
