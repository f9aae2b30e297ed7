package dev.sluice.internal.limiter;

import static dev.sluice.TestLimits.counting;
import static dev.sluice.TestLimits.endpoint;
import static dev.sluice.TestLimits.perMinute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.Call;
import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.Ticket;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Limit;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of a call that was admitted, until its end. */
class InFlightCallTest {

    private static final int CALLERS = 8;
    private static final TestCall CALL = TestCall.get("/a").of("acme");

    private static final Limit SLOT = new Limit.Concurrency(1, Limit.Concurrency.Scope.SERVER);

    private final TestClock clock = new TestClock(1_627_318_780_000L);
    private CountingRateLimiter limiter = open(endpoint("e", "/a", perMinute(1)));

    private CountingRateLimiter open(Endpoint... endpoints) {
        if (limiter != null) {
            limiter.close();
        }
        limiter = new CountingRateLimiter(TestLimits.of(endpoints), clock, RateLimitListener.NONE);
        return limiter;
    }

    @AfterEach
    void close() {
        limiter.close();
    }

    private static Ticket ticket(Decision decision) {
        return Objects.requireNonNull(decision.ticket(), "a ticket");
    }

    @Test
    void aPlainCallHasNoTicket() {
        assertThat(limiter.decide(CALL).ticket()).isNull();
    }

    @Test
    void responsesThatDoNotCountAreRefunded() {
        open(counting(endpoint("login", "/a", perMinute(5)), Set.of(401), Cost.ONE));
        List<Ticket> inFlight = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            inFlight.add(ticket(limiter.decide(CALL)));
        }
        Decision sixth = limiter.decide(CALL);
        assertThat(sixth.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(sixth.retryAfterMillis()).isEqualTo(1_000);

        inFlight.get(0).ended(200);
        inFlight.get(0).ended(200);
        inFlight.subList(1, 5).forEach(ticket -> ticket.ended(401));

        Decision next = limiter.decide(CALL);
        assertThat(next.outcome()).isEqualTo(Outcome.ADMITTED);
        ticket(next).ended(401);
        Decision last = limiter.decide(CALL);
        assertThat(last.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(last.retryAfterMillis()).isEqualTo(20_000);
    }

    static Stream<Limit> limitsThatGiveBackWithTime() {
        Duration period = Duration.ofSeconds(10);
        return Stream.of(
                new Limit.SlidingLog(3, period),
                new Limit.TokenBucket(3, period, 3),
                new Limit.LeakyBucket(3, period, 0, period));
    }

    /** Otherwise a caller who holds calls open for longer than that could try twice as many passwords. */
    @ParameterizedTest
    @MethodSource("limitsThatGiveBackWithTime")
    void permitsThatTimeGaveBackAreNotRefundedAgain(Limit limit) {
        open(counting(endpoint("login", "/a", new Tier("10s", limit)), Set.of(401), Cost.ONE));
        List<Ticket> held = new ArrayList<>();
        for (Decision call = limiter.decide(CALL); call.admitted(); call = limiter.decide(CALL)) {
            held.add(ticket(call));
        }
        clock.advance(Duration.ofSeconds(10));
        for (Decision call = limiter.decide(CALL); call.admitted(); call = limiter.decide(CALL)) {
            ticket(call).ended(401);
        }
        held.forEach(ticket -> ticket.ended(200));
        assertThat(limiter.decide(CALL).admitted()).isFalse();
    }

    @Test
    void slotsAreFreedByTheEndOfACall() {
        open(endpoint("e", "/a", new Tier("concurrency", new Limit.Concurrency(2, Limit.Concurrency.Scope.SERVER))));
        Ticket first = ticket(limiter.decide(CALL));
        assertThat(limiter.decide(CALL).outcome()).isEqualTo(Outcome.ADMITTED);
        Decision third = limiter.decide(CALL);
        assertThat(third.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(third.retryAfterMillis()).isEqualTo(1_000);
        clock.advance(Duration.ofDays(1));
        limiter.sweep();
        assertThat(limiter.decide(CALL).outcome()).isEqualTo(Outcome.REFUSED);

        first.ended(500);

        assertThat(limiter.decide(CALL).outcome()).isEqualTo(Outcome.ADMITTED);
    }

    @Test
    void slotsAreFreedIfTheListenerThrows() {
        slotsAreFreedIfTheListenerThrows(endpoint("e", "/a", new Tier("t", SLOT)));
    }

    @Test
    void slotsAreFreedIfTheListenerThrowsAtADryRunBesideThem() {
        slotsAreFreedIfTheListenerThrows(
                endpoint("e", "/a", new Tier("t", SLOT)), TestLimits.dryRun(endpoint("tried", "/a", perMinute(9))));
    }

    private void slotsAreFreedIfTheListenerThrows(Endpoint... endpoints) {
        AtomicBoolean fails = new AtomicBoolean(true);
        RateLimitListener listener = new RateLimitListener() {
            @Override
            public void onDecision(Call call, Decision decision) {
                if (fails.get()) {
                    throw new IllegalStateException("on purpose");
                }
            }
        };
        try (CountingRateLimiter told = new CountingRateLimiter(TestLimits.of(endpoints), clock, listener)) {
            assertThatThrownBy(() -> told.decide(CALL)).hasMessage("on purpose");
            fails.set(false);

            assertThat(told.decide(CALL).outcome()).isEqualTo(Outcome.ADMITTED);
        }
    }

    @Test
    void chargesMayExceedTheLimitOnce() {
        open(counting(endpoint("buy", "/a", perMinute(200)), Set.of(), Cost.CHARGED));
        Decision first = limiter.decide(CALL);
        assertThat(first.remaining()).isEqualTo(200);
        assertThat(ticket(first).charge(150).counted()).isTrue();
        Decision second = limiter.decide(CALL);
        assertThat(second.remaining()).isEqualTo(50);
        assertThat(ticket(second).charge(70).counted()).isTrue();

        assertThat(limiter.decide(CALL).outcome()).isEqualTo(Outcome.REFUSED);
        clock.advance(Duration.ofMinutes(1));
        assertThat(limiter.decide(CALL).remaining()).isEqualTo(200);
    }

    static Stream<Limit> limitsOfFive() {
        Duration minute = Duration.ofMinutes(1);
        return Stream.of(
                new Limit.FixedWindow(5, minute),
                new Limit.SlidingWindow(5, minute, 4),
                new Limit.TokenBucket(5, minute, 5),
                new Limit.LeakyBucket(5, minute, 0, Duration.ZERO),
                new Limit.SlidingLog(5, minute));
    }

    /** Calls pass until the others are charged; once the limit is used up, none passes, whatever is still in flight. */
    @ParameterizedTest
    @MethodSource("limitsOfFive")
    void chargesExceedTheLimitByAtMostTheCallsInFlight(Limit limit) throws Exception {
        for (int round = 0; round < 100; round++) {
            open(counting(endpoint("buy", "/a", new Tier("t", limit)), Set.of(), Cost.CHARGED));
            CountingRateLimiter shop = limiter;
            AtomicInteger admitted = new AtomicInteger();
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
            for (int i = 0; i < CALLERS; i++) {
                callers.add(CompletableFuture.runAsync(() -> admitted.addAndGet(buy(shop)), threads));
            }
            for (CompletableFuture<Void> caller : callers) {
                caller.get(30, TimeUnit.SECONDS);
            }
            threads.shutdown();
            assertThat(admitted).hasValueBetween(5, 5 + CALLERS - 1);
            assertThat(shop.decide(CALL).outcome()).isEqualTo(Outcome.REFUSED);
        }
    }

    /** How many calls of one caller pass, each of which is charged one. */
    private static int buy(CountingRateLimiter shop) {
        int admitted = 0;
        for (int call = 0; call < 200; call++) {
            Decision decision = shop.decide(CALL);
            if (decision.admitted()) {
                admitted++;
                ticket(decision).charge(1);
                ticket(decision).ended(200);
            }
        }
        return admitted;
    }

    /**
     * Such a call takes nothing at first, so that its counter is idle, and leaves memory, while the call is in flight.
     */
    @ParameterizedTest
    @MethodSource("limitsOfFive")
    void chargesCountAfterTheCounterWasEvicted(Limit limit) {
        open(counting(endpoint("buy", "/a", new Tier("t", limit)), Set.of(), Cost.CHARGED));
        Ticket inFlight = ticket(limiter.decide(CALL));
        clock.advance(Duration.ofMinutes(3));
        limiter.sweep();
        assertThat(limiter.counters()).isZero();

        assertThat(inFlight.charge(500).counted()).isTrue();

        assertThat(limiter.decide(CALL).outcome()).isEqualTo(Outcome.REFUSED);
    }

    @ParameterizedTest
    @MethodSource("limitsOfFive")
    void chargesCountAfterASharedCounterWasEvicted(Limit limit) {
        Limits limits = TestLimits.of(counting(endpoint("buy", "/a", new Tier("t", limit)), Set.of(), Cost.CHARGED));
        try (VirtualTimeFleet fleet = new VirtualTimeFleet(limits, clock, new InMemoryCounterStore(clock, 1_000), 2)) {
            Ticket inFlight = ticket(fleet.decide(0, CALL));
            pass(fleet, Duration.ofMinutes(3));

            assertThat(inFlight.charge(500).counted()).isTrue();
            pass(fleet, Duration.ofSeconds(2));

            assertThat(fleet.decide(0, CALL).outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(fleet.decide(1, CALL).outcome()).isEqualTo(Outcome.REFUSED);
        }
    }

    private void pass(VirtualTimeFleet fleet, Duration time) {
        for (long passed = 0; passed < time.toMillis(); passed += 10) {
            clock.advance(Duration.ofMillis(10));
            fleet.step();
        }
    }

    /** A charge that counted only up to the old limit would be too small for the new, larger one. */
    @Test
    void chargesCountInTheLimitInForce() {
        Endpoint narrow = endpoint("buy", "/a", new Tier("t", new Limit.TokenBucket(10, Duration.ofMinutes(1), 10)));
        Endpoint wide = endpoint("buy", "/a", new Tier("t", new Limit.TokenBucket(100, Duration.ofMinutes(1), 100)));
        open(counting(narrow, Set.of(), Cost.CHARGED));
        Ticket inFlight = ticket(limiter.decide(CALL));
        limiter.replace(TestLimits.of(counting(wide, Set.of(), Cost.CHARGED)));
        assertThat(limiter.decide(CALL).admitted()).isTrue();
        clock.advance(Duration.ofMinutes(2));
        long left = limiter.decide(CALL).remaining();
        assertThat(left).isEqualTo(100);
        ticket(limiter.decide(CALL)).charge(left - 30);

        assertThat(inFlight.charge(10).counted()).isTrue();

        assertThat(limiter.decide(CALL).remaining()).isEqualTo(20);
    }

    @Test
    void slotsOfAFleetAreNotCharged() {
        Tier slots = new Tier("concurrency", new Limit.Concurrency(1, Limit.Concurrency.Scope.FLEET));
        Limits limits = TestLimits.of(counting(endpoint("buy", "/a", slots), Set.of(), Cost.CHARGED));
        try (VirtualTimeFleet fleet = new VirtualTimeFleet(limits, clock, new InMemoryCounterStore(clock, 1_000), 2)) {
            Ticket inFlight = ticket(fleet.decide(0, CALL));
            assertThat(inFlight.charge(500).counted()).isTrue();
            inFlight.ended(200);
            pass(fleet, Duration.ofSeconds(2));

            Decision next = fleet.decide(1, CALL);
            assertThat(next.outcome()).isEqualTo(Outcome.ADMITTED);
            ticket(next).ended(200);
        }
    }

    @Test
    void aChargedCallTakesASlot() {
        Tier slots = new Tier("concurrency", new Limit.Concurrency(1, Limit.Concurrency.Scope.SERVER));
        open(counting(endpoint("buy", "/a", slots), Set.of(), Cost.CHARGED));
        Ticket first = ticket(limiter.decide(CALL));

        assertThat(limiter.decide(CALL).outcome()).isEqualTo(Outcome.REFUSED);
        first.ended(200);
        assertThat(limiter.decide(CALL).outcome()).isEqualTo(Outcome.ADMITTED);
    }

    @Test
    void fixedCostsCannotBeCharged() {
        open(counting(endpoint("e", "/a", perMinute(5)), Set.of(401), Cost.ONE));

        assertThat(ticket(limiter.decide(CALL)).charge(3).counted()).isFalse();
        assertThat(limiter.decide(CALL).remaining()).isEqualTo(3);
    }

    @Test
    void queuedCallsPassAtAnEvenPace() {
        Limit queue = new Limit.LeakyBucket(10, Duration.ofSeconds(1), 3, Duration.ofSeconds(1));
        open(endpoint("e", "/a", new Tier("queue", queue)));

        assertThat(ticket(limiter.decide(CALL)).delayMillis()).isZero();
        assertThat(ticket(limiter.decide(CALL)).delayMillis()).isEqualTo(100);
        assertThat(ticket(limiter.decide(CALL)).delayMillis()).isEqualTo(200);
        assertThat(ticket(limiter.decide(CALL)).delayMillis()).isEqualTo(300);
        Decision fifth = limiter.decide(CALL);
        assertThat(fifth.outcome()).isEqualTo(Outcome.REFUSED);
        clock.advance(Duration.ofMillis(fifth.retryAfterMillis()));
        assertThat(ticket(limiter.decide(CALL)).delayMillis()).isEqualTo(300);
    }

    /**
     * The first limit may be free again at any moment, since a call is in flight; the second is not before its window
     * ends.
     */
    @Test
    void retryTimeSatisfiesBothRefusingLimits() {
        Endpoint failures =
                counting(endpoint("failures", "/a", TestLimits.tier(1, Duration.ofHours(1))), Set.of(401), Cost.ONE);
        open(failures, endpoint("all", "/a", perMinute(1)));
        assertThat(limiter.decide(CALL).admitted()).isTrue();

        Decision refused = limiter.decide(CALL);
        assertThat(refused.admitted()).isFalse();
        assertThat(refused.endpoint().id()).isEqualTo("all");
        assertThat(refused.retryAfterMillis()).isEqualTo(20_000);
    }
}
