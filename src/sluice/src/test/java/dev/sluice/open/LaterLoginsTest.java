package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.LoginTicket;
import dev.sluice.LoginTicket.Attempt;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * A call that tries to log in again takes a permit for each attempt, once its own permit was given back or counts: so
 * no call guesses more passwords than the threshold.
 */
class LaterLoginsTest {

    private static final Call CALL = new TestCall("POST", "/a", "192.0.2.1", Map.of());

    private final List<Outcome> heard = new CopyOnWriteArrayList<>();
    private final AtomicInteger waits = new AtomicInteger();
    private Sluice sluice = open(2, "");

    private Sluice open(int threshold, String keys) {
        if (sluice != null) {
            sluice.close();
        }
        String login = "- { id: a, pathPattern: /a, per: [ ip ], count: { outcome: login-failure }, " + keys
                + " tiers: [ { period: 1d, threshold: " + threshold + " } ] }\n";
        String all = "- { id: all, pathPattern: /**, per: [ ip ], tiers: [ { period: 1d, threshold: 999 } ] }\n";
        sluice = Sluice.builder()
                .config(GivenFile.of(login + all))
                .listener(new RateLimitListener() {
                    @Override
                    public void onDecision(Call call, Decision decision) {
                        heard.add(decision.outcome());
                    }

                    @Override
                    public void onOutcomesAwaited(long nanos) {
                        waits.incrementAndGet();
                    }
                })
                .open();
        return sluice;
    }

    @AfterEach
    void close() {
        sluice.close();
    }

    private LoginTicket begun() {
        Decision decision = sluice.decide(CALL);
        assertThat(decision.admitted()).isTrue();
        return (LoginTicket) Objects.requireNonNull(decision.ticket());
    }

    private LoginTicket loggedIn() {
        LoginTicket call = begun();
        assertThat(tries(call, 1, false)).isEqualTo(1);
        call.loginEnded(false);
        return call;
    }

    private static Attempt attempt(LoginTicket call) {
        Attempt attempt = call.beginLogin(null);
        assertThat(attempt.refusal()).isNull();
        return attempt;
    }

    /** How many of these attempts within one call may be made, one after the other, if each fails. */
    private static int tries(LoginTicket call, int attempts) {
        return tries(call, attempts, true);
    }

    private static int tries(LoginTicket call, int attempts, boolean failing) {
        int tries = 0;
        for (int i = 0; i < attempts; i++) {
            Attempt attempt = call.beginLogin(null);
            if (attempt.refusal() == null) {
                tries++;
                attempt.ended(failing);
            }
        }
        return tries;
    }

    private boolean isAdmitted() {
        Decision decision = sluice.decide(CALL);
        decision.ended(200);
        return decision.admitted();
    }

    @Test
    void theFirstLoginUsesThePermitOfTheCall() {
        open(1, "");
        LoginTicket call = begun();
        attempt(call).ended(true);
        call.ended(401);
        assertThat(isAdmitted()).isFalse();
    }

    @Test
    void callsThatHaveLoggedInHoldNoPermits() {
        List<LoginTicket> slow = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            slow.add(loggedIn());
        }
        assertThat(isAdmitted()).isTrue();
        slow.forEach(call -> call.ended(200));
    }

    @Test
    void aLaterLoginNeedsAPermitAgain() {
        LoginTicket one = loggedIn();
        LoginTicket two = loggedIn();
        LoginTicket three = loggedIn();
        Attempt first = attempt(one);
        Attempt second = attempt(two);
        first.ended(true);
        second.ended(true);
        assertThat(three.beginLogin(null).refusal()).isNotNull();
        assertThat(heard).endsWith(Outcome.REFUSED);
    }

    @Test
    void aLaterLoginThatDoesNotFailReturnsItsPermitWhenTheCallEnds() {
        LoginTicket call = loggedIn();
        LoginTicket failing = begun();
        assertThat(tries(call, 3, false)).as("on the same permit").isEqualTo(3);
        assertThat(tries(failing, 1)).isEqualTo(1);
        assertThat(isAdmitted()).isFalse();
        call.ended(200);
        assertThat(isAdmitted()).isTrue();
    }

    @Test
    void aLaterLoginThatHasNotFailedReturnsItsPermitAtOnceIfThatIsReported() {
        open(1, "");
        LoginTicket call = loggedIn();
        Attempt attempt = attempt(call);
        assertThat(isAdmitted()).isFalse();
        attempt.ended(false);
        assertThat(isAdmitted()).as("it may still be reported to have failed").isFalse();
        call.loginEnded(false);
        assertThat(isAdmitted()).isTrue();
    }

    @Test
    void oneCallThatTriesManyPasswordsGetsNoMoreTriesThanOthers() {
        open(3, "");
        assertThat(tries(begun(), 10)).isEqualTo(3);
        assertThat(isAdmitted()).isFalse();
        assertThat(waits).as("for failures of its own").hasValue(0);
    }

    @Test
    void eachFailureCountsOnce() {
        open(3, "");
        LoginTicket call = begun();
        assertThat(tries(call, 2)).isEqualTo(2);
        call.loginEnded(true);
        call.ended(401);
        assertThat(isAdmitted()).as("a third is left").isTrue();
        assertThat(tries(begun(), 2)).isEqualTo(1);
    }

    @Test
    void aFailureThatIsOnlyReportedCountsAlthoughThePermitWasGivenBack() {
        LoginTicket call = loggedIn();
        call.loginEnded(true);
        assertThat(tries(call, 5)).isEqualTo(1);
        assertThat(isAdmitted()).isFalse();
    }

    @Test
    void noLoginIsRefusedInADryRun() {
        open(1, "mode: dry-run,");
        assertThat(tries(loggedIn(), 5)).isEqualTo(5);
        assertThat(heard).contains(Outcome.WOULD_REFUSE).doesNotContain(Outcome.REFUSED);
    }

    @Test
    void otherLimitsCountTheCallOnce() {
        open(9, "");
        tries(begun(), 5);
        Decision next = sluice.decide(new TestCall("GET", "/b", "192.0.2.1", Map.of()));
        assertThat(next.remaining()).isEqualTo(999 - 2);
    }

    /** How many calls, all at once, log in and then try to log in again. */
    private int burst(int calls, boolean failing) throws Exception {
        AtomicInteger tries = new AtomicInteger();
        ExecutorService callers = Executors.newFixedThreadPool(calls);
        try {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                all.add(CompletableFuture.runAsync(
                        () -> {
                            Decision decision = sluice.decide(CALL);
                            LoginTicket call = (LoginTicket) decision.ticket();
                            if (!decision.admitted() || call == null) {
                                return;
                            }
                            call.loginEnded(false);
                            tries.addAndGet(tries(call, 1, failing));
                            call.ended(200);
                        },
                        callers));
            }
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        } finally {
            callers.shutdownNow();
        }
        return tries.get();
    }

    @Test
    void fiftyWrongPasswordsAtOnceGetFiveTries() throws Exception {
        open(5, "");
        assertThat(burst(50, true)).isEqualTo(5);
        assertThat(isAdmitted()).isFalse();
    }

    @Test
    void fortyRightPasswordsAtOnceAllPass() throws Exception {
        open(5, "");
        assertThat(burst(40, false)).isEqualTo(40);
        assertThat(isAdmitted()).isTrue();
    }

    /** How many attempts of one call, all at once, may be made. */
    private static int atOnce(LoginTicket call, int attempts, boolean failing) throws Exception {
        AtomicInteger tries = new AtomicInteger();
        CountDownLatch begun = new CountDownLatch(attempts);
        ExecutorService workers = Executors.newFixedThreadPool(attempts);
        try {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < attempts; i++) {
                all.add(CompletableFuture.runAsync(
                        () -> {
                            begun.countDown();
                            awaitAll(begun);
                            tries.addAndGet(tries(call, 1, failing));
                        },
                        workers));
            }
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        } finally {
            workers.shutdownNow();
        }
        return tries.get();
    }

    private static void awaitAll(CountDownLatch begun) {
        try {
            begun.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Nested
    class AttemptsOfOneCallAtTheSameTime {

        @Test
        void haveAPermitEach() {
            open(3, "");
            LoginTicket call = begun();
            Attempt one = attempt(call);
            Attempt two = attempt(call);
            Attempt three = attempt(call);
            one.ended(true);
            two.ended(true);
            three.ended(true);
            assertThat(call.beginLogin(null).refusal()).isNotNull();
            call.ended(401);
            assertThat(isAdmitted()).isFalse();
        }

        @Test
        void getNoMoreTriesThanOthersIfTheyFail() throws Exception {
            open(5, "");
            assertThat(atOnce(begun(), 30, true)).isEqualTo(5);
            assertThat(isAdmitted()).isFalse();
        }

        @Test
        void allPassOneAfterTheOtherIfNoneFails() throws Exception {
            open(4, "");
            LoginTicket call = begun();
            assertThat(atOnce(call, 30, false)).isEqualTo(30);
            call.ended(200);
            assertThat(isAdmitted()).isTrue();
        }

        @Test
        void returnTheirPermitsButOneIfTheyDoNotFail() {
            LoginTicket call = begun();
            Attempt one = attempt(call);
            Attempt two = attempt(call);
            assertThat(isAdmitted()).isFalse();
            two.ended(false);
            assertThat(isAdmitted()).isTrue();
            one.ended(false);
            assertThat(tries(call, 9, true)).isEqualTo(2);
        }

        @Test
        void haveFailedOnceIfAFailureIsReportedMeanwhile() {
            open(3, "");
            LoginTicket call = begun();
            Attempt one = attempt(call);
            Attempt two = attempt(call);
            call.loginEnded(true);
            one.ended(true);
            two.ended(false);
            call.ended(200);
            assertThat(tries(begun(), 9)).isEqualTo(2);
        }
    }

    @Nested
    class AnAttemptThatOutlivesItsCall {

        @Test
        void countsIfItFails() {
            open(1, "");
            LoginTicket call = begun();
            Attempt late = attempt(call);
            call.ended(202);
            assertThat(isAdmitted()).as("while it is in flight").isFalse();
            late.ended(true);
            assertThat(isAdmitted()).isFalse();
        }

        @Test
        void returnsItsPermitOtherwise() {
            open(1, "");
            LoginTicket call = begun();
            Attempt late = attempt(call);
            call.ended(202);
            late.ended(false);
            assertThat(isAdmitted()).isTrue();
        }

        @Test
        void needsAPermitIfItBeginsAfterTheEnd() {
            LoginTicket call = begun();
            call.ended(202);
            assertThat(tries(call, 9)).isEqualTo(2);
            assertThat(heard).endsWith(Outcome.REFUSED);
            assertThat(isAdmitted()).isFalse();
        }

        @Test
        void returnsAPermitThatItTookAfterTheEndIfItDoesNotFail() {
            open(1, "");
            LoginTicket call = begun();
            call.ended(202);
            assertThat(tries(call, 9, false)).isEqualTo(9);
            assertThat(isAdmitted()).isTrue();
        }
    }
}
