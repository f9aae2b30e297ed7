package dev.sluice.internal.limiter;

import static dev.sluice.TestLimits.endpoint;
import static dev.sluice.TestLimits.perSecond;
import static dev.sluice.TestLimits.tier;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A threshold is exact under any concurrency: never one call more, never one fewer. */
class ExactnessTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int THREADS = 8;
    private static final long START = 1_627_318_780_000L;

    /** Time moves on by itself as calls are made, so that threads meet at every boundary of thousands of windows. */
    @Test
    void everyWindowAdmitsExactlyItsThreshold() throws Exception {
        int windows = 4_000;
        int threshold = 7;
        AtomicLong ticks = new AtomicLong();
        // a window of 1 ms sees about 40 calls, far more than its threshold
        InstantSource clock = new CallsAsTime(ticks, 40);
        Map<Long, AtomicLong> admittedByWindow = new ConcurrentHashMap<>();
        Limits limits = TestLimits.of(endpoint("e", "/a", tier(threshold, Duration.ofMillis(1))));
        try (CountingRateLimiter limiter = new CountingRateLimiter(limits, clock, RateLimitListener.NONE)) {
            Call call = TestCall.get("/a");
            inParallel(() -> {
                while (ticks.get() < windows * 40L) {
                    note(limiter.decide(call), admittedByWindow);
                }
                return 0L;
            });
        }
        assertThat(admittedByWindow).hasSizeGreaterThan(windows - 2);
        long first = admittedByWindow.keySet().stream()
                .mapToLong(Long::longValue)
                .min()
                .orElseThrow();
        long last = admittedByWindow.keySet().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElseThrow();
        admittedByWindow.forEach((end, admitted) -> {
            assertThat(admitted.get()).as("window to %s", end).isLessThanOrEqualTo(threshold);
            if (end > first && end < last) {
                assertThat(admitted.get()).as("window to %s", end).isEqualTo(threshold);
            }
        });
    }

    /**
     * Again and again, all threads call at once when few permits are left, each time at a new counter.
     */
    @Test
    void aFreshCounterAdmitsExactlyItsThreshold() throws Exception {
        Limits limits = TestLimits.of(endpoint("e", "/a", perSecond(5)));
        try (CountingRateLimiter limiter =
                new CountingRateLimiter(limits, () -> Instant.ofEpochMilli(START), RateLimitListener.NONE)) {
            for (int round = 0; round < 2_000; round++) {
                Call call = TestCall.get("/a").of("tenant-" + round);
                long admitted = inParallel(() -> IntStream.range(0, 3)
                        .filter(i -> limiter.decide(call).admitted())
                        .count());
                assertThat(admitted).isEqualTo(5);
            }
        }
    }

    /**
     * Three endpoints share callers crosswise, so calls are often refused by one counter after another was asked. In
     * the end each counter that refused a call must be exactly full: no call was refused because another one held a
     * permit for a moment.
     */
    @ParameterizedTest
    @EnumSource
    void aCallRefusedByOneCounterIsNeverSeenInAnother(Way way) throws Exception {
        for (int round = 0; round < 800; round++) {
            // "both" takes from wide and narrow; narrow is spent after one call, wide has room for exactly the others
            Limits limits = TestLimits.of(
                    TestLimits.per(endpoint("wide", "/**", way.allowing(6))),
                    TestLimits.per(endpoint("narrow", "/both/**", way.allowing(1))));
            try (CountingRateLimiter limiter =
                    new CountingRateLimiter(limits, () -> Instant.ofEpochMilli(START), RateLimitListener.NONE)) {
                AtomicLong wideOnly = new AtomicLong();
                AtomicLong acquisition = new AtomicLong();
                long admitted = inParallel(() -> {
                    long mine = 0;
                    boolean both = acquisition.getAndIncrement() % 2 == 0;
                    for (int i = 0; i < 5; i++) {
                        boolean passed = limiter.decide(TestCall.get(both ? "/both/x" : "/only"))
                                .admitted();
                        mine += passed ? 1 : 0;
                        if (!both && passed) {
                            wideOnly.incrementAndGet();
                        }
                    }
                    return mine;
                });
                // 4 threads x 5 calls to wide alone, 20 to both: wide must be full
                assertThat(admitted).isEqualTo(6);
                assertThat(admitted - wideOnly.get()).as("also in narrow").isLessThanOrEqualTo(1);
            }
        }
    }

    /** Ways of counting, each with rules of its own for threads. */
    private enum Way {
        WINDOW,
        FRAMES,
        BUCKET,
        LOG;

        Tier allowing(long threshold) {
            return new Tier(
                    "t",
                    switch (this) {
                        case WINDOW -> new Limit.FixedWindow(threshold, SECOND);
                        case FRAMES -> new Limit.SlidingWindow(threshold, SECOND, 2);
                        case BUCKET -> new Limit.TokenBucket(threshold, SECOND, threshold);
                        case LOG -> new Limit.SlidingLog(threshold, SECOND);
                    });
        }
    }

    @Test
    void severalTiersAreExactTogether() throws Exception {
        for (int round = 0; round < 1_000; round++) {
            Limits limits = TestLimits.of(
                    endpoint("e", "/a", perSecond(9), tier(7, Duration.ofMinutes(1))),
                    endpoint("f", "/**", perSecond(8)));
            try (CountingRateLimiter limiter =
                    new CountingRateLimiter(limits, () -> Instant.ofEpochMilli(START), RateLimitListener.NONE)) {
                long admitted = inParallel(() -> IntStream.range(0, 3)
                        .filter(i -> limiter.decide(TestCall.get("/a")).admitted())
                        .count());
                assertThat(admitted).isEqualTo(7);
                assertThat(limiter.decide(TestCall.get("/b")).remaining()).isZero();
            }
        }
    }

    /** Counters are swept and evicted all the while; no call may be counted in a counter that is gone. */
    @Test
    void sweepingLosesNoCount() throws Exception {
        AtomicLong ticks = new AtomicLong();
        int threshold = 7;
        InstantSource clock = new CallsAsTime(ticks, 60);
        Map<Long, AtomicLong> admittedByWindow = new ConcurrentHashMap<>();
        Limits limits = TestLimits.of(endpoint("e", "/a", tier(threshold, Duration.ofMillis(1))));
        try (CountingRateLimiter limiter = new CountingRateLimiter(limits, clock, RateLimitListener.NONE)) {
            inParallel(() -> {
                while (ticks.get() < 120_000) {
                    Decision decision = limiter.decide(TestCall.get("/a"));
                    if (CallsAsTime.READ_AGAIN_LATER.get()) {
                        // its counter was retired meanwhile: which window it was counted in is not known
                        CallsAsTime.forget();
                    } else {
                        note(decision, admittedByWindow);
                    }
                    if (ThreadLocalRandom.current().nextInt(50) == 0) {
                        // pretends that the window is long over, as a sweep by a clock that runs ahead would
                        limiter.sweepAsOf(clock.millis() + 1);
                        CallsAsTime.forget();
                    }
                }
                return 0L;
            });
        }
        assertThat(admittedByWindow).isNotEmpty();
        admittedByWindow.forEach((end, admitted) ->
                assertThat(admitted.get()).as("window to %s", end).isLessThanOrEqualTo(threshold));
    }

    /** Counts an admitted call under the end of the window that it was counted in. */
    private static void note(Decision decision, Map<Long, AtomicLong> admittedByWindow) {
        if (decision.admitted()) {
            long end = CallsAsTime.FIRST_READING.get() + decision.resetAfterMillis();
            admittedByWindow.computeIfAbsent(end, key -> new AtomicLong()).incrementAndGet();
        }
        CallsAsTime.forget();
    }

    /** Runs the same work on all threads at once; the sum of what they return. */
    private static long inParallel(Callable<Long> work) throws InterruptedException, ExecutionException {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<Future<Long>> results = THREAD_POOL.invokeAll(IntStream.range(0, THREADS)
                .<Callable<Long>>mapToObj(i -> () -> {
                    start.await();
                    return work.call();
                })
                .toList());
        long sum = 0;
        for (Future<Long> result : results) {
            sum += result.get();
        }
        return sum;
    }

    private static final ExecutorService THREAD_POOL = Executors.newFixedThreadPool(THREADS, task -> {
        Thread daemon = new Thread(task, "exactness");
        daemon.setDaemon(true);
        return daemon;
    });

    /**
     * A clock that moves by one millisecond every so many readings, and remembers what each thread read first in a
     * decision.
     */
    private record CallsAsTime(AtomicLong ticks, int readingsPerMilli) implements InstantSource {

        private static final ThreadLocal<Long> FIRST_READING = new ThreadLocal<>();
        private static final ThreadLocal<Boolean> READ_AGAIN_LATER = ThreadLocal.withInitial(() -> false);

        static void forget() {
            FIRST_READING.remove();
            READ_AGAIN_LATER.remove();
        }

        @Override
        public long millis() {
            long now = START + ticks.incrementAndGet() / readingsPerMilli;
            if (FIRST_READING.get() == null) {
                FIRST_READING.set(now);
            } else if (FIRST_READING.get() != now) {
                READ_AGAIN_LATER.set(true);
            }
            return now;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis());
        }
    }
}
