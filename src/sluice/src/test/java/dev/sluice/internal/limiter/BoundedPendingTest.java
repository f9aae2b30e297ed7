package dev.sluice.internal.limiter;

import static dev.sluice.TestLimits.endpoint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.Ticket;
import dev.sluice.fleet.LogLines;
import dev.sluice.internal.limiter.simulation.FleetSimulation;
import dev.sluice.internal.limiter.sync.ManualSynchroniser;
import dev.sluice.internal.match.path.ForwardingCall;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Limits.PendingCalls;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Only so many threads wait at a time; calls beyond are refused, and count nothing. */
@Timeout(20)
class BoundedPendingTest {

    /** A call that cannot be parked. */
    private record OnThread(TestCall sent) implements ForwardingCall {

        @Override
        public boolean holdsThread(boolean isMadeUp) {
            return true;
        }
    }

    private static Limits with(PendingCalls threads, Limits limits) {
        return new Limits(
                limits.endpoints(),
                limits.subjects(),
                true,
                1_000,
                limits.responses(),
                limits.sharing(),
                List.of(),
                List.of(),
                threads);
    }

    private static Ticket ticket(Decision decision) {
        return Objects.requireNonNull(decision.ticket(), "a ticket");
    }

    @Nested
    class Turns {

        private final Limit queue = new Limit.LeakyBucket(10, Duration.ofSeconds(1), 5, Duration.ofSeconds(1));
        private final Limits limits = TestLimits.of(
                endpoint("print", "/print", new Tier("queue", queue), TestLimits.tier(100, Duration.ofMinutes(1))));
        private final TestClock clock = new TestClock(1_627_318_780_000L);
        private final CountingRateLimiter limiter =
                new CountingRateLimiter(with(new PendingCalls(1, 1, 0), limits), clock, RateLimitListener.NONE);

        private final OnThread acme = new OnThread(TestCall.get("/print").of("acme"));
        private final OnThread other = new OnThread(TestCall.get("/print").of("other"));

        @AfterEach
        void close() {
            limiter.close();
        }

        /** One that goes on at once, and one that waits. */
        private Ticket queued() {
            assertThat(ticket(limiter.decide(acme)).delayMillis()).isZero();
            Ticket queued = ticket(limiter.decide(acme));
            assertThat(queued.delayMillis()).isEqualTo(100);
            return queued;
        }

        @Test
        void areRefusedIfTooManyAreQueuedOnThreads() {
            Ticket unused = queued();
            Decision third = limiter.decide(acme);
            assertThat(third.outcome()).isEqualTo(Outcome.REFUSED_BUSY);
            assertThat(third.admitted()).isFalse();
            assertThat(third.ticket()).isNull();
        }

        @Test
        void arePassedByACallThatHasNoneToWaitFor() throws InterruptedException {
            Ticket first = ticket(limiter.decide(acme));
            assertThat(ticket(limiter.decide(acme)).delayMillis()).isEqualTo(100);
            assertThat(limiter.decide(acme).outcome()).isEqualTo(Outcome.REFUSED_BUSY);

            assertThat(first.delayMillis()).isZero();
            assertThat(first.awaitTurn()).isTrue();
        }

        @Test
        void areSaidInTheLogToBeTooMany() {
            try (LogLines log = new LogLines()) {
                Ticket unused = queued();
                for (int i = 0; i < 3; i++) {
                    assertThat(limiter.decide(acme).admitted()).isFalse();
                }
                assertThat(log.with("WARN"))
                        .singleElement()
                        .asString()
                        .endsWith("A call was refused because the number of calls queued on threads has reached "
                                + "pendingCalls.queued (1). Until one of these calls proceeds, further calls that "
                                + "would block a thread are refused. All other calls are served. If the server has "
                                + "threads to spare, raise pendingCalls.queued. Otherwise, lower maxQueueTime, or "
                                + "enable async support for servlets and filters, so that queued calls are parked "
                                + "without a thread (logged at most once a minute)");
            }
        }

        @Test
        void areNotCountedIfRefused() {
            Ticket unused = queued();
            for (int i = 0; i < 10; i++) {
                assertThat(limiter.decide(acme).admitted()).isFalse();
            }
            Decision parked = limiter.decide(acme.sent());
            assertThat(ticket(parked).delayMillis()).isEqualTo(200);
            assertThat(parked.remaining()).isEqualTo(3);
        }

        @Test
        void areFoundAtOnceWhenARefusedCallHasBeenToldToRetry() {
            Ticket unused = queued();
            Decision refused = limiter.decide(acme);
            assertThat(refused.retryAfterMillis()).isEqualTo(200);
            clock.advance(Duration.ofMillis(refused.retryAfterMillis()));
            assertThat(ticket(limiter.decide(acme)).delayMillis()).isZero();
        }

        @Test
        void areBoundedOverAllQueues() {
            Ticket unused = queued();
            assertThat(ticket(limiter.decide(other)).delayMillis()).isZero();
            assertThat(limiter.decide(other).admitted()).isFalse();
        }

        @Test
        void areNotBoundedForCallsThatHoldNoThread() {
            Ticket unused = queued();
            assertThat(ticket(limiter.decide(acme.sent())).delayMillis()).isEqualTo(200);
        }

        @Test
        void areCountedNoMoreWhenTheyHaveCome() throws Exception {
            assertThat(queued().awaitTurn()).isTrue();
            assertThat(ticket(limiter.decide(acme)).delayMillis()).isEqualTo(200);
        }

        @Test
        void areCountedNoMoreIfTheCallEndsBefore() {
            Ticket queued = queued();
            queued.ended(503);
            queued.ended(503);
            assertThat(limiter.decide(acme).admitted()).isTrue();
            assertThat(limiter.decide(acme).admitted()).isFalse();
        }

        @Test
        void areCountedNoMoreIfTheirThreadIsInterrupted() {
            Ticket queued = queued();
            Thread.currentThread().interrupt();
            try {
                queued.awaitTurn();
            } catch (InterruptedException e) {
                assertThat(limiter.decide(acme).admitted()).isTrue();
                return;
            }
            throw new AssertionError("was not interrupted");
        }

        @Test
        void areBoundedAlsoIfACallWasToBeParked() throws Exception {
            Ticket unused = queued();
            assertThat(ticket(limiter.decide(acme.sent())).awaitTurn()).isFalse();
        }

        @Test
        void areGivenBackIfTooManyAreQueuedOnThreads() throws Exception {
            Ticket unused = queued();
            for (int i = 0; i < 10; i++) {
                Decision parked = limiter.decide(acme.sent());
                assertThat(ticket(parked).delayMillis()).isEqualTo(200);
                assertThat(parked.remaining()).isEqualTo(3);
                assertThat(ticket(parked).awaitTurn()).isFalse();
            }
        }

        @Test
        void areKeptIfTheirThreadIsInterrupted() {
            Ticket ticket = queued();
            Thread.currentThread().interrupt();
            assertThatThrownBy(ticket::awaitTurn).isInstanceOf(InterruptedException.class);
            assertThat(ticket(limiter.decide(acme.sent())).delayMillis()).isEqualTo(200);
        }

        @Test
        void areAwaitedOnce() throws Exception {
            Ticket ticket = queued();
            assertThat(ticket.awaitTurn()).isTrue();
            assertThat(ticket.delayMillis()).isZero();
        }

        @Test
        void areBoundedAsTheNewestFileSays() {
            Ticket unused = queued();
            limiter.replace(with(new PendingCalls(2, 1, 0), limits));
            assertThat(ticket(limiter.decide(acme)).delayMillis()).isEqualTo(200);
            assertThat(limiter.decide(acme).admitted()).isFalse();
        }
    }

    @Nested
    class SharedTurns {

        private final Limit queue = new Limit.LeakyBucket(60, Duration.ofMinutes(1), 5, Duration.ofMinutes(1));
        private final ManualSynchroniser driven = new ManualSynchroniser(queue);
        private final OnThread call = new OnThread(FleetSimulation.call("acme", 1));

        @AfterEach
        void close() {
            driven.close();
        }

        @Test
        void areThereForTheNextCallIfRefused() {
            Sync sync = new Sync(Duration.ofSeconds(1), 0, true);
            driven.limiter.replace(
                    with(new PendingCalls(0, 1, 0), FleetSimulation.limits(List.of(List.of(queue)), sync)));
            assertThat(ticket(driven.limiter.decide(call)).delayMillis()).isZero();
            for (int i = 0; i < 5; i++) {
                Decision refused = driven.limiter.decide(call);
                assertThat(refused.admitted()).isFalse();
                assertThat(refused.retryAfterMillis()).isEqualTo(1_000);
            }
            assertThat(ticket(driven.limiter.decide(call.sent())).delayMillis()).isEqualTo(1_000);
            assertThat(ticket(driven.limiter.decide(call.sent())).delayMillis()).isEqualTo(2_000);
        }
    }

    /** A flood of invented names must not keep all other callers from waiting. */
    @Nested
    class AQuarterIsLeftToCallersWhoAreNotMadeUp {

        private static final PendingCalls FOUR = new PendingCalls(4, 4, 4);
        private final BoundedPending pending = new BoundedPending(FOUR);

        @Test
        void ofTheStore() {
            assertThat(IntStream.range(0, 5).filter(i -> pending.beginWait(true)))
                    .hasSize(3);
            assertThat(pending.beginWait(false)).isTrue();
            assertThat(pending.beginWait(false)).isFalse();
        }

        @Test
        void ofOutcomes() {
            assertThat(IntStream.range(0, 5).filter(i -> pending.beginAwaitingOutcomes(true)))
                    .hasSize(3);
            assertThat(pending.beginAwaitingOutcomes(false)).isTrue();
            assertThat(pending.beginAwaitingOutcomes(false)).isFalse();
        }

        @Test
        void ofTurns() {
            Tier tier = new Tier("queue", new Limit.LeakyBucket(10, Duration.ofSeconds(1), 5, Duration.ofSeconds(1)));
            Limits limits = TestLimits.of(endpoint("print", "/print", tier), endpoint("log-in", "/login", tier));
            TestClock clock = new TestClock(1_627_318_780_000L);
            try (CountingRateLimiter limiter =
                    new CountingRateLimiter(with(FOUR, limits), clock, RateLimitListener.NONE)) {
                OnThread logIn = new OnThread(TestCall.get("/login"));
                limiter.decide(logIn);
                List<Outcome> ofFlood = IntStream.range(0, 10)
                        .mapToObj(i -> limiter.decide(
                                        new OnThread(TestCall.get("/print").of("made-up-" + i / 2)))
                                .outcome())
                        .toList();
                assertThat(ofFlood).filteredOn(Outcome.REFUSED_BUSY::equals).hasSize(2);
                assertThat(limiter.decide(logIn).outcome()).isEqualTo(Outcome.ADMITTED);
                assertThat(limiter.decide(logIn).outcome()).isEqualTo(Outcome.REFUSED_BUSY);
            }
        }
    }

    @Nested
    class TheStore {

        private final BoundedPending pending = new BoundedPending(new PendingCalls(0, 1, 0));

        @Test
        void isWaitedForByOnlySoManyCalls() {
            assertThat(pending.beginWait(false)).isTrue();
            try (LogLines log = new LogLines()) {
                assertThat(pending.beginWait(false)).isFalse();
                pending.warnOfWaits();
                assertThat(log.with("WARN"))
                        .singleElement()
                        .asString()
                        .endsWith("A call was refused because the number of calls waiting for the store has reached "
                                + "pendingCalls.waiting (1). The store is responding slowly. Until one of the waiting "
                                + "calls proceeds, further calls that need the store's reply are refused. Calls that "
                                + "find permits in memory pass as usual. Check the store, the network and this "
                                + "machine's CPU. If the server has threads to spare, raise "
                                + "pendingCalls.waiting (logged at most once a minute)");
            }
            pending.endWait();
            assertThat(pending.beginWait(false)).isTrue();
        }
    }
}
