package dev.sluice.internal.limiter;

import static dev.sluice.TestLimits.awaitingOutcomes;
import static dev.sluice.TestLimits.counting;
import static dev.sluice.TestLimits.endpoint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Eventually;
import dev.sluice.MachineWatch;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.Ticket;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A call that finds all permits of a {@code count} limit taken by calls in flight awaits their outcome: it goes on
 * if one of them does not count, and is refused once all that is taken counts for good.
 */
class AwaitedOutcomesTest {

    private static final int RIGHT = 200;
    private static final int WRONG = 401;
    private static final Duration HOUR = Duration.ofHours(1);
    /** No test in real time runs into another window. */
    private static final Duration YEAR = Duration.ofDays(366);

    private final TestClock clock = new TestClock(1_627_318_780_000L);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong waitedNanos = new AtomicLong();
    private CountingRateLimiter limiter = open(guard(new Limit.FixedWindow(2, HOUR)));

    private CountingRateLimiter open(Endpoint... endpoints) {
        return open(100, endpoints);
    }

    private CountingRateLimiter open(int mostQueued, Endpoint... endpoints) {
        if (limiter != null) {
            limiter.close();
        }
        RateLimitListener listener = new RateLimitListener() {
            @Override
            public void onOutcomesAwaited(long nanos) {
                waitedNanos.addAndGet(nanos);
            }
        };
        limiter = new CountingRateLimiter(awaitingOutcomes(mostQueued, TestLimits.of(endpoints)), clock, listener);
        return limiter;
    }

    private static Endpoint guard(Limit... limits) {
        return guard("login", limits);
    }

    private static Endpoint guard(String id, Limit... limits) {
        Tier[] tiers = new Tier[limits.length];
        for (int i = 0; i < tiers.length; i++) {
            tiers[i] = new Tier("tier" + i, limits[i]);
        }
        return counting(endpoint(id, "/login", tiers), Set.of(WRONG), Cost.ONE);
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        limiter.close();
    }

    private Decision decide(String caller) {
        return limiter.decide(TestCall.get("/login").of(caller));
    }

    private static Ticket admitted(Decision decision) {
        assertThat(decision.outcome()).isEqualTo(Outcome.ADMITTED);
        return Objects.requireNonNull(decision.ticket());
    }

    private List<Ticket> inFlight(int calls) {
        List<Ticket> tickets = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            tickets.add(admitted(decide("acme")));
        }
        return tickets;
    }

    /** A call on a thread of its own, once it waits. */
    private CompletableFuture<Decision> waits() {
        return waits("acme");
    }

    private CompletableFuture<Decision> waits(String caller) {
        AtomicReference<Thread> thread = new AtomicReference<>();
        CompletableFuture<Decision> decision = new CompletableFuture<>();
        var unused = threads.submit(() -> {
            thread.set(Thread.currentThread());
            try {
                decision.complete(decide(caller));
            } catch (RuntimeException | Error e) {
                decision.completeExceptionally(e);
            }
        });
        Eventually.await(
                "the call to wait",
                () -> decision.isDone()
                        || (thread.get() != null && thread.get().getState() == Thread.State.TIMED_WAITING));
        return decision;
    }

    private static Decision result(CompletableFuture<Decision> call) {
        return call.orTimeout(10, TimeUnit.SECONDS).join();
    }

    static Stream<Limit> limitsOfTwo() {
        return TestLimits.ofEachAlgorithm(2, HOUR).stream().filter(limit -> !(limit instanceof Limit.Concurrency));
    }

    static Stream<Limit> limitsOfOne() {
        return TestLimits.ofEachAlgorithm(1, HOUR).stream().filter(limit -> !(limit instanceof Limit.Concurrency));
    }

    @ParameterizedTest
    @MethodSource("limitsOfTwo")
    void aCallProceedsOnceAPermitComesBack(Limit limit) {
        open(guard(limit));
        List<Ticket> inFlight = inFlight(2);
        CompletableFuture<Decision> third = waits();
        assertThat(third).isNotDone();
        inFlight.get(0).ended(RIGHT);
        admitted(result(third)).ended(WRONG);
        inFlight.get(1).ended(WRONG);
        assertThat(decide("acme").admitted()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("limitsOfTwo")
    void aCallIsRefusedOnceAllCallsInFlightCount(Limit limit) {
        open(guard(limit));
        List<Ticket> inFlight = inFlight(2);
        CompletableFuture<Decision> third = waits();
        inFlight.get(0).ended(WRONG);
        assertThat(third).isNotDone();
        try (MachineWatch machine = new MachineWatch()) {
            long began = System.nanoTime();
            inFlight.get(1).ended(WRONG);
            Decision refused = result(third);
            assertThat(refused.outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(refused.retryAfterMillis()).isGreaterThan(1_000);
            assertThat(Duration.ofNanos(machine.ranNanos(began))).isLessThan(Duration.ofSeconds(1));
        }
    }

    @ParameterizedTest
    @MethodSource("limitsOfTwo")
    void nobodyWaitsForALimitThatIsUsedUp(Limit limit) {
        open(guard(limit));
        inFlight(2).forEach(ticket -> ticket.ended(WRONG));
        assertThat(decide("acme").admitted()).isFalse();
        assertThat(waitedNanos).hasValue(0);
    }

    @Test
    void othersDoNotWait() {
        inFlight(2);
        admitted(decide("hooli"));
        assertThat(waitedNanos).hasValue(0);
    }

    @Test
    void theWaitIsTwoSecondsAtMost() {
        inFlight(2);
        try (MachineWatch machine = new MachineWatch()) {
            long began = System.nanoTime();
            Decision refused = decide("acme");
            assertThat(refused.outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(refused.retryAfterMillis()).isEqualTo(1_000);
            assertThat(Duration.ofNanos(machine.ranNanos(began))).isLessThan(Duration.ofSeconds(4));
            assertThat(Duration.ofNanos(waitedNanos.get())).isGreaterThan(Duration.ofMillis(1_990));
        }
    }

    @Test
    void waitingCallsAreNotOvertaken() {
        List<Ticket> inFlight = inFlight(2);
        CompletableFuture<Decision> first = waits();
        CompletableFuture<Decision> second = waits();
        CompletableFuture<Decision> third = waits();
        inFlight.get(0).ended(RIGHT);
        Ticket ofFirst = admitted(result(first));
        assertThat(second).isNotDone();
        ofFirst.ended(RIGHT);
        Ticket ofSecond = admitted(result(second));
        assertThat(third).isNotDone();
        ofSecond.ended(RIGHT);
        admitted(result(third));
    }

    @Test
    void aPermitThatTimeGivesBackServesAWaitingCall() {
        inFlight(2);
        CompletableFuture<Decision> third = waits();
        clock.advance(HOUR);
        CompletableFuture<Decision> fourth = waits();
        admitted(result(fourth));
        admitted(result(third));
    }

    @Test
    void ofSeveralLimitsACallTakesFromAllOrNone() {
        open(guard("two", new Limit.FixedWindow(2, HOUR)), guard("one", new Limit.SlidingLog(1, HOUR)));
        Ticket inFlight = admitted(decide("acme"));
        CompletableFuture<Decision> waits = waits();
        inFlight.ended(WRONG);
        assertThat(result(waits).admitted()).isFalse();

        open(guard("two", new Limit.FixedWindow(2, HOUR), new Limit.SlidingLog(1, HOUR)));
        Ticket again = admitted(decide("acme"));
        CompletableFuture<Decision> next = waits();
        again.ended(RIGHT);
        admitted(result(next)).ended(RIGHT);
        admitted(decide("acme"));
    }

    @Test
    void nobodyWaitsIfAnotherLimitIsUsedUp() {
        Endpoint other = endpoint("other", "/login", new Tier("t", new Limit.FixedWindow(2, HOUR)));
        open(guard(new Limit.FixedWindow(2, HOUR)), other);
        inFlight(2);
        assertThat(decide("acme").admitted()).isFalse();
        assertThat(waitedNanos).hasValue(0);
    }

    @Test
    void nobodyAwaitsOutcomesForSlotsOfAConcurrencyLimit() {
        open(guard(new Limit.Concurrency(1, Limit.Concurrency.Scope.SERVER)));
        inFlight(1);
        assertThat(decide("acme").admitted()).isFalse();
        assertThat(waitedNanos).hasValue(0);
    }

    @Test
    void aWaitingCallContinuesAfterAReload() {
        List<Ticket> inFlight = inFlight(2);
        CompletableFuture<Decision> third = waits();
        limiter.replace(awaitingOutcomes(100, TestLimits.of(guard(new Limit.FixedWindow(3, HOUR)))));
        CompletableFuture<Decision> fourth = waits();
        admitted(result(third));
        assertThat(fourth).isNotDone();
        inFlight.get(0).ended(RIGHT);
        admitted(result(fourth));
    }

    @Test
    void anInterruptedCallIsRefused() {
        inFlight(2);
        CompletableFuture<Decision> third = waits();
        threads.shutdownNow();
        assertThat(result(third).outcome()).isEqualTo(Outcome.REFUSED_BUSY);
    }

    @Nested
    class Bounds {

        @Test
        void eightTimesTheThresholdAwaitTheOutcomesOfOneCounter() {
            open(guard(new Limit.FixedWindow(1, HOUR)));
            Ticket inFlight = inFlight(1).get(0);
            List<CompletableFuture<Decision>> waiting = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                waiting.add(waits());
            }
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            Decision ninth = decide("acme");
            assertThat(ninth.outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(ninth.retryAfterMillis()).isEqualTo(1_000);
            inFlight.ended(WRONG);
            waiting.forEach(call -> assertThat(result(call).admitted()).isFalse());
        }

        @Test
        void pendingCallsBoundsCallsThatAreQueuedOnThreads() {
            open(1, guard(new Limit.FixedWindow(1, HOUR)));
            Ticket ofAcme = inFlight(1).get(0);
            Ticket ofHooli = admitted(decide("hooli"));
            CompletableFuture<Decision> waiting = waits("acme");
            assertThat(decide("hooli").outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(waiting).isNotDone();
            ofAcme.ended(RIGHT);
            admitted(result(waiting));
            CompletableFuture<Decision> next = waits("hooli");
            assertThat(next).isNotDone();
            ofHooli.ended(RIGHT);
            admitted(result(next));
        }

        /** Otherwise one caller could keep the logins of all others from waiting. */
        @Test
        void noMoreThanHalfOfTheCallsThatAwaitOutcomesAreOfOneCaller() {
            open(4, guard(new Limit.FixedWindow(1, HOUR)));
            Ticket ofAcme = inFlight(1).get(0);
            Ticket ofHooli = admitted(decide("hooli"));
            List<CompletableFuture<Decision>> waiting = List.of(waits("acme"), waits("acme"));
            assertThat(decide("acme").outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            CompletableFuture<Decision> other = waits("hooli");
            assertThat(other).isNotDone();
            ofHooli.ended(RIGHT);
            admitted(result(other));
            ofAcme.ended(WRONG);
            waiting.forEach(call -> assertThat(result(call).admitted()).isFalse());
        }

        @Test
        void noCallAwaitsOutcomesIfItsBoundIsZero() {
            open(0, guard(new Limit.FixedWindow(1, HOUR)));
            inFlight(1);
            assertThat(decide("acme").outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(waitedNanos).hasValue(0);
        }
    }

    @Nested
    class ManyAtOnce {

        private final AtomicInteger tries = new AtomicInteger();
        private final AtomicInteger refused = new AtomicInteger();

        private final List<CountingRateLimiter> fleet = new ArrayList<>();

        /** With a store, calls are dealt to two instances. */
        private void logIn(int calls, int atOnce, int status, boolean hasStore) throws Exception {
            Limits limits = awaitingOutcomes(100, TestLimits.of(guard(new Limit.FixedWindow(5, YEAR))));
            InstantSource now = InstantSource.system();
            if (hasStore) {
                CounterStore store = new InMemoryCounterStore(now, 100);
                for (String name : List.of("one", "two")) {
                    fleet.add(new CountingRateLimiter(limits, now, RateLimitListener.NONE, store, name, null));
                }
            } else {
                fleet.add(new CountingRateLimiter(limits, now, RateLimitListener.NONE));
            }
            try {
                logIn(calls, atOnce, status);
            } finally {
                fleet.forEach(CountingRateLimiter::close);
            }
        }

        private void logIn(int calls, int atOnce, int status) throws Exception {
            ExecutorService callers = Executors.newFixedThreadPool(atOnce);
            try {
                List<CompletableFuture<Void>> all = new ArrayList<>();
                for (int i = 0; i < calls; i++) {
                    CountingRateLimiter asked = fleet.get(i % fleet.size());
                    all.add(CompletableFuture.runAsync(() -> logIn(asked, status), callers));
                }
                CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
            } finally {
                callers.shutdownNow();
            }
        }

        private void logIn(CountingRateLimiter asked, int status) {
            Decision decision = asked.decide(TestCall.get("/login").of("acme"));
            Ticket ticket = decision.ticket();
            if (!decision.admitted() || ticket == null) {
                refused.incrementAndGet();
                return;
            }
            tries.incrementAndGet();
            try {
                Thread.sleep(200); // how long a login takes
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            ticket.ended(status);
        }

        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void fortyRightPasswordsEightAtATimeAllPass(boolean hasStore) throws Exception {
            logIn(40, 8, RIGHT, hasStore);
            assertThat(refused).hasValue(0);
        }

        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void fortyRightPasswordsAtOnceAllPass(boolean hasStore) throws Exception {
            logIn(40, 40, RIGHT, hasStore);
            assertThat(refused).hasValue(0);
        }

        /** A permit that one call returns and the next one takes at once is never lost from sight. */
        @ParameterizedTest
        @MethodSource("dev.sluice.internal.limiter.AwaitedOutcomesTest#limitsOfOne")
        void rightPasswordsOneRightAfterTheOtherAllPass(Limit limit) throws Exception {
            logInOneRightAfterTheOther(5_000, open(guard(limit)));
            assertThat(refused).hasValue(0);
        }

        @Test
        void rightPasswordsOneRightAfterTheOtherAllPassWithAStore() throws Exception {
            InstantSource now = InstantSource.system();
            Limits limits = awaitingOutcomes(100, TestLimits.of(guard(new Limit.FixedWindow(1, YEAR))));
            CounterStore store = new InMemoryCounterStore(now, 100);
            try (var shared = new CountingRateLimiter(limits, now, RateLimitListener.NONE, store, "one", null)) {
                logInOneRightAfterTheOther(1_000, shared);
            }
            assertThat(refused).hasValue(0);
        }

        private void logInOneRightAfterTheOther(int logins, CountingRateLimiter asked) throws Exception {
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                callers.add(CompletableFuture.runAsync(
                        () -> {
                            for (int login = 0; login < logins; login++) {
                                Decision decision =
                                        asked.decide(TestCall.get("/login").of("acme"));
                                refused.addAndGet(decision.admitted() ? 0 : 1);
                                decision.ended(RIGHT);
                            }
                        },
                        threads));
            }
            CompletableFuture.allOf(callers.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
        }

        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void fiftyWrongPasswordsAtOnceGetFiveTries(boolean hasStore) throws Exception {
            logIn(50, 50, WRONG, hasStore);
            assertThat(tries).hasValue(5);
            assertThat(refused).hasValue(45);
        }
    }
}
