package dev.sluice.internal.limiter;

import static dev.sluice.TestLimits.awaitingOutcomes;
import static dev.sluice.TestLimits.endpoint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Eventually;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.Ticket;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A call that waits without a thread: what decideAsync returns completes later, and nobody is blocked meanwhile. */
class DecideAsyncTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final ExecutorService executor = Executors.newSingleThreadExecutor(work -> new Thread(work, "named"));
    private final List<Decision> heard = new ArrayList<>();
    private final RateLimitListener listener = new RateLimitListener() {
        @Override
        public void onDecision(Call call, Decision decision) {
            synchronized (heard) {
                heard.add(decision);
            }
        }
    };

    @AfterEach
    void shutDown() {
        executor.shutdownNow();
    }

    private CompletableFuture<Decision> ask(CountingRateLimiter limiter) {
        return limiter.decideAsync(TestCall.get("/login").of("acme"), executor).toCompletableFuture();
    }

    private static Decision in10Seconds(CompletableFuture<Decision> decision) throws Exception {
        return decision.get(10, TimeUnit.SECONDS);
    }

    private static Ticket ticket(Decision decision) {
        return Objects.requireNonNull(decision.ticket());
    }

    @Nested
    class ForOutcomes {
        private final TestClock clock = new TestClock(1_627_318_780_000L);
        private final Limits limits = awaitingOutcomes(
                100,
                TestLimits.of(TestLimits.counting(
                        endpoint("login", "GET /login", new Tier("t", new Limit.FixedWindow(1, HOUR))),
                        Set.of(401),
                        Cost.ONE)));
        private final CountingRateLimiter limiter = new CountingRateLimiter(limits, clock, listener);

        @AfterEach
        void close() {
            limiter.close();
        }

        @Test
        void aCallThatNeedNotWaitIsDecidedImmediately() {
            assertThat(ask(limiter)).isCompletedWithValueMatching(Decision::admitted);
        }

        @Test
        void aCallWaitsUntilASlotComesBack() throws Exception {
            Decision first = in10Seconds(ask(limiter));
            CompletableFuture<Decision> second = ask(limiter);
            assertThat(second).isNotDone();

            ticket(first).ended(200);
            assertThat(in10Seconds(second).admitted()).isTrue();
        }

        @Test
        void aCallIsRefusedOnceNothingCanComeBack() throws Exception {
            Decision first = in10Seconds(ask(limiter));
            CompletableFuture<Decision> second = ask(limiter);

            ticket(first).ended(401);
            assertThat(in10Seconds(second).outcome()).isEqualTo(Outcome.REFUSED);
        }

        @Test
        void whatComesAfterAWaitRunsOnTheExecutor() throws Exception {
            Decision first = in10Seconds(ask(limiter));
            CompletableFuture<String> thread =
                    ask(limiter).thenApply(decision -> Thread.currentThread().getName());

            ticket(first).ended(200);
            assertThat(thread.get(10, TimeUnit.SECONDS)).isEqualTo("named");
        }

        @Test
        void aRejectingExecutorLosesNoCall() throws Exception {
            Decision first = in10Seconds(ask(limiter));
            CompletableFuture<Decision> second = ask(limiter);

            executor.shutdown();
            ticket(first).ended(200);
            assertThat(in10Seconds(second).admitted()).isTrue();
        }

        @Test
        void aCancelledWaitTakesNothing() throws Exception {
            Decision first = in10Seconds(ask(limiter));
            CompletableFuture<Decision> second = ask(limiter);
            CompletableFuture<Decision> third = ask(limiter);

            second.cancel(false);
            ticket(first).ended(200);
            assertThat(in10Seconds(third).admitted()).isTrue();
            synchronized (heard) {
                assertThat(heard).hasSize(2);
            }
        }

        /** Four times what the limit lets pass at once: each call waits for two seconds at most, in real time. */
        private static final int CALLS = 200;

        /** It has taken permits of a limit that needs no ticket, too. */
        @Test
        void aCallWhoseResultSomebodyElseCompletesGivesEverythingBack() throws Exception {
            Endpoint all = endpoint("all", "GET /login", new Tier("t", new Limit.FixedWindow(2, HOUR)));
            Endpoint login = limits.endpoints().get(0);
            try (CountingRateLimiter two =
                    new CountingRateLimiter(awaitingOutcomes(100, TestLimits.of(login, all)), clock, listener)) {
                Decision first = in10Seconds(ask(two));
                ConcurrentLinkedQueue<Runnable> later = new ConcurrentLinkedQueue<>();
                CompletableFuture<Decision> second = two.decideAsync(
                                TestCall.get("/login").of("acme"), later::add)
                        .toCompletableFuture();
                ticket(first).ended(200);
                Eventually.await("the permit for the second call", () -> !later.isEmpty());
                second.complete(Decision.UNLIMITED);
                later.forEach(Runnable::run);
                assertThat(in10Seconds(ask(two)).admitted()).isTrue();
            }
        }

        @Test
        void hundredsOfCallsAreParked() throws Exception {
            CountingRateLimiter wide = new CountingRateLimiter(
                    awaitingOutcomes(
                            1_000,
                            TestLimits.of(TestLimits.counting(
                                    endpoint("login", "GET /login", new Tier("t", new Limit.FixedWindow(50, HOUR))),
                                    Set.of(401),
                                    Cost.ONE))),
                    clock,
                    listener);
            try (wide) {
                ConcurrentLinkedQueue<Decision> inFlight = new ConcurrentLinkedQueue<>();
                AtomicInteger refused = new AtomicInteger();
                int threads = Thread.activeCount();
                List<CompletableFuture<Void>> all = new ArrayList<>();
                for (int i = 0; i < CALLS; i++) {
                    all.add(ask(wide).thenAccept(decision -> {
                        if (decision.admitted()) {
                            inFlight.add(decision);
                        } else {
                            refused.incrementAndGet();
                        }
                    }));
                }
                assertThat(Thread.activeCount() - threads).isLessThan(20);
                CompletableFuture<Void> over = CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new));
                while (!over.isDone()) {
                    Decision one = inFlight.poll();
                    if (one != null) {
                        ticket(one).ended(200);
                    } else {
                        Thread.onSpinWait();
                    }
                }
                assertThat(refused).hasValue(0);
            }
        }
    }

    /** A store whose answers come when the test says so. */
    @Nested
    class ForTheStore {
        private final InMemoryCounterStore memory = new InMemoryCounterStore(InstantSource.system(), 1_000);
        private final ConcurrentLinkedQueue<Runnable> answers = new ConcurrentLinkedQueue<>();
        /** At the start too, when an instance asks the store for its time. */
        private volatile boolean answersAtOnce = true;

        private final CounterStore store = new CounterStore() {
            @Override
            public CompletionStage<Batch.Reply> exchange(Batch batch) {
                if (answersAtOnce) {
                    return memory.exchange(batch);
                }
                CompletableFuture<Batch.Reply> answer = new CompletableFuture<>();
                answers.add(() -> answer.complete(
                        memory.exchange(batch).toCompletableFuture().join()));
                return answer;
            }

            @Override
            public void close() {}
        };

        private CountingRateLimiter open(Limit limit, int mostPending, Duration timeout) {
            Endpoint login =
                    endpoint("login", "GET /login", new Tier("t", limit, new Sync(Duration.ofSeconds(1), 0, true)));
            Limits limits = TestLimits.sharing(
                    new SharingOptions(OnFailure.DENY, timeout),
                    TestLimits.waiting(new Limits.PendingCalls(10, mostPending, 10), TestLimits.of(login)));
            CountingRateLimiter limiter =
                    new CountingRateLimiter(limits, InstantSource.system(), listener, store, "me", null);
            answersAtOnce = false;
            return limiter;
        }

        /** From now on the store answers at once, so that a limiter closes soon. */
        private void answerAll() {
            answersAtOnce = true;
            for (Runnable answer = answers.poll(); answer != null; answer = answers.poll()) {
                answer.run();
            }
        }

        private void answerUntil(CompletableFuture<?> done) {
            Eventually.await("a decision", () -> {
                for (Runnable answer = answers.poll(); answer != null; answer = answers.poll()) {
                    answer.run();
                }
                return done.isDone();
            });
        }

        @Test
        void aCallIsDecidedWhenTheStoreHasAnswered() throws Exception {
            try (CountingRateLimiter limiter = open(new Limit.FixedWindow(1, HOUR), 10, Duration.ofSeconds(20))) {
                CompletableFuture<Decision> decision = ask(limiter);
                assertThat(decision).isNotDone();

                answerUntil(decision);
                assertThat(in10Seconds(decision).admitted()).isTrue();
                CompletableFuture<Decision> second = ask(limiter);
                answerUntil(second);
                assertThat(in10Seconds(second).outcome()).isEqualTo(Outcome.REFUSED);
                answerAll();
            }
        }

        @Test
        void aCancelledCallLeavesThePermitToOthers() throws Exception {
            try (CountingRateLimiter limiter = open(new Limit.FixedWindow(1, HOUR), 10, Duration.ofSeconds(20))) {
                CompletableFuture<Decision> first = ask(limiter);
                first.cancel(false);

                CompletableFuture<Decision> second = ask(limiter);
                answerUntil(second);
                assertThat(in10Seconds(second).admitted()).isTrue();
                answerAll();
            }
        }

        @Test
        void longWaitsForTheStoreAreBounded() throws Exception {
            try (CountingRateLimiter limiter = open(new Limit.FixedWindow(9, HOUR), 1, Duration.ofSeconds(20))) {
                answerUntil(ask(limiter)); // so the store has been heard
                List<CompletableFuture<Decision>> all = List.of(ask(limiter), ask(limiter), ask(limiter));
                CompletableFuture<Object> any = CompletableFuture.anyOf(all.toArray(CompletableFuture<?>[]::new));
                Decision refused = (Decision) any.get(10, TimeUnit.SECONDS);
                assertThat(refused.outcome()).isEqualTo(Outcome.REFUSED_BUSY);
                answerAll();
            }
        }
    }

    @Nested
    class ForATurn {
        private final TestClock clock = new TestClock(1_627_318_780_000L);
        private final CountingRateLimiter limiter = new CountingRateLimiter(
                TestLimits.of(endpoint(
                        "login",
                        "GET /login",
                        new Tier("t", new Limit.LeakyBucket(10, Duration.ofSeconds(1), 2, Duration.ofSeconds(1))))),
                clock,
                listener);

        @AfterEach
        void close() {
            limiter.close();
        }

        @Test
        void aCallIsDecidedWhenItsTurnComes() throws Exception {
            assertThat(ask(limiter)).isCompleted();
            long began = System.nanoTime();
            Decision second = in10Seconds(ask(limiter));
            assertThat(System.nanoTime() - began).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(90));
            assertThat(second.admitted()).isTrue();
            assertThat(ticket(second).delayMillis()).isZero();
        }

        /** Calls behind it keep their turns, so another call would get a turn that is taken. */
        @Test
        void aCancelledCallKeepsItsTurn() {
            assertThat(ask(limiter)).isCompleted();
            CompletableFuture<Decision> second = limiter.decideAsync(
                            TestCall.get("/login").of("acme"), Runnable::run)
                    .toCompletableFuture();
            CompletableFuture<Decision> third = ask(limiter);

            second.cancel(false);
            assertThat(ask(limiter)).isCompletedWithValueMatching(decision -> !decision.admitted());
            assertThat(third).isNotDone();
        }
    }
}
