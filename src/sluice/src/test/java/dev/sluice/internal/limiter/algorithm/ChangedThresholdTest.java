package dev.sluice.internal.limiter.algorithm;

import static dev.sluice.TestLimits.counting;
import static dev.sluice.TestLimits.endpoint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Cost;
import dev.sluice.Endpoint;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.Ticket;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What was counted in this process goes on under another threshold. */
class ChangedThresholdTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final TestCall CALL = TestCall.get("/a").of("acme");
    private static final int THREADS = 8;

    private final TestClock clock = new TestClock(1_627_318_800_000L);
    private final CountingRateLimiter limiter = new CountingRateLimiter(TestLimits.of(), clock, RateLimitListener.NONE);

    /** One kind of limit, whatever its threshold. */
    record Kind(String name, LongFunction<Limit> ofThreshold) {

        Endpoint allowing(long threshold) {
            return endpoint("e", "/a", new Tier("t", ofThreshold.apply(threshold)));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Kind> kinds() {
        return Stream.concat(
                kindsThatForget(),
                Stream.of(new Kind("slots", n -> new Limit.Concurrency(n, Limit.Concurrency.Scope.SERVER))));
    }

    static Stream<Kind> kindsThatForget() {
        return Stream.of(
                new Kind("fixed window", n -> new Limit.FixedWindow(n, HOUR)),
                new Kind("sliding window", n -> new Limit.SlidingWindow(n, HOUR, 4)),
                new Kind("sliding log", n -> new Limit.SlidingLog(n, HOUR)),
                new Kind("token bucket", n -> new Limit.TokenBucket(n, HOUR, n)),
                new Kind("meter", n -> new Limit.LeakyBucket(n, HOUR, 0, Duration.ZERO)));
    }

    @AfterEach
    void close() {
        limiter.close();
    }

    private void replace(Endpoint endpoint) {
        limiter.replace(TestLimits.of(endpoint));
    }

    private int admitted(int atMost) {
        int admitted = 0;
        while (admitted < atMost && limiter.decide(CALL).admitted()) {
            admitted++;
        }
        return admitted;
    }

    private Ticket begun() {
        return Objects.requireNonNull(limiter.decide(CALL).ticket(), "a ticket");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void usesCountUnderALargerThreshold(Kind kind) {
        replace(kind.allowing(1_000));
        assertThat(admitted(2_000)).isEqualTo(1_000);

        replace(kind.allowing(1_500));

        assertThat(admitted(2_000)).isEqualTo(500);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void usesCountUnderASmallerThreshold(Kind kind) {
        replace(kind.allowing(1_000));
        assertThat(admitted(700)).isEqualTo(700);

        replace(kind.allowing(500));
        assertThat(limiter.decide(CALL))
                .returns(false, decision -> decision.admitted())
                .returns(0L, decision -> decision.remaining());
        replace(kind.allowing(1_000));

        assertThat(admitted(2_000)).isEqualTo(300);
    }

    @ParameterizedTest
    @MethodSource("kindsThatForget")
    void usesExpireAsBefore(Kind kind) {
        replace(kind.allowing(1_000));
        admitted(1_000);
        replace(kind.allowing(10));
        assertThat(admitted(20)).isZero();

        clock.advance(HOUR.multipliedBy(102));

        assertThat(admitted(20)).isEqualTo(10);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void laterRefundsGoToTheSameCount(Kind kind) {
        Endpoint few = counting(kind.allowing(5), Set.of(401), Cost.ONE);
        replace(few);
        List<Ticket> inFlight = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            inFlight.add(begun());
        }
        replace(counting(kind.allowing(6), Set.of(401), Cost.ONE));
        assertThat(admitted(10)).isEqualTo(1);

        inFlight.get(0).ended(200);
        assertThat(admitted(10)).isEqualTo(1);
        replace(few);
        inFlight.get(1).ended(200);
        inFlight.get(2).ended(200);

        assertThat(admitted(10)).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("kindsThatForget")
    void laterChargesGoToTheSameCount(Kind kind) {
        replace(counting(kind.allowing(10), Set.of(), Cost.CHARGED));
        Ticket inFlight = begun();
        replace(counting(kind.allowing(20), Set.of(), Cost.CHARGED));
        assertThat(limiter.decide(CALL).remaining()).isEqualTo(20);

        inFlight.charge(15);

        assertThat(limiter.decide(CALL).remaining()).isEqualTo(5);
    }

    /** Neither one more nor one fewer, however the calls fall between the changes. */
    @ParameterizedTest
    @MethodSource("kinds")
    void noCallIsLostOrCountedTwiceWhileItChanges(Kind kind) throws Exception {
        replace(kind.allowing(20_000));
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<CompletableFuture<Integer>> callers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            callers.add(CompletableFuture.supplyAsync(() -> admitted(2_400), threads));
        }
        for (int i = 0; i < 200; i++) {
            replace(kind.allowing(i % 2 == 0 ? 25_000 : 20_000));
        }
        int admitted = 0;
        for (CompletableFuture<Integer> caller : callers) {
            admitted += caller.get(60, TimeUnit.SECONDS);
        }
        threads.shutdown();

        assertThat(admitted).isEqualTo(THREADS * 2_400);
        assertThat(admitted(2_000)).isEqualTo(20_000 - admitted);
    }

    @Test
    void overageMayChangeToo() {
        Limit limit = new Limit.FixedWindow(10, HOUR);
        replace(endpoint("e", "/a", new Tier("t", limit)));
        assertThat(admitted(20)).isEqualTo(10);

        replace(endpoint("e", "/a", new Tier("t", limit, new Overage.Soft(0.5), Sync.DEFAULT)));

        assertThat(admitted(20)).isEqualTo(5);
    }

    /** Its pace changes too: a part of a token that is missing stays such a part. */
    @Test
    void aBucketMissesAsManyTokensAsBefore() {
        replace(endpoint("e", "/a", new Tier("t", new Limit.TokenBucket(3_600, HOUR, 100))));
        admitted(100);
        clock.advance(Duration.ofMillis(50_500));

        replace(endpoint("e", "/a", new Tier("t", new Limit.TokenBucket(7_200, HOUR, 80))));

        assertThat(admitted(200)).isEqualTo(30);
        clock.advance(Duration.ofMillis(249));
        assertThat(admitted(1)).isZero();
        clock.advance(Duration.ofMillis(1));
        assertThat(admitted(1)).isEqualTo(1);
    }

    /** Counts of windows of another length, or kept in another way, say nothing of these. */
    @Test
    void anotherPeriodOrAlgorithmStartsFresh() {
        replace(endpoint("e", "/a", new Tier("t", new Limit.FixedWindow(5, HOUR))));
        assertThat(admitted(10)).isEqualTo(5);
        replace(endpoint("e", "/a", new Tier("t", new Limit.FixedWindow(5, HOUR.multipliedBy(2)))));
        assertThat(admitted(10)).isEqualTo(5);
        replace(endpoint("e", "/a", new Tier("t", new Limit.TokenBucket(5, HOUR.multipliedBy(2), 5))));
        assertThat(admitted(10)).isEqualTo(5);
        replace(endpoint("e", "/a", new Tier("t", new Limit.SlidingWindow(5, HOUR, 1))));
        assertThat(admitted(10)).isEqualTo(5);
        replace(endpoint("e", "/a", new Tier("t", new Limit.SlidingWindow(5, HOUR, 4))));
        assertThat(admitted(10)).isEqualTo(5);
    }
}
