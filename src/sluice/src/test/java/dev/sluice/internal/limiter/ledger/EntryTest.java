package dev.sluice.internal.limiter.ledger;

import static dev.sluice.internal.limiter.ledger.PlayedLedger.moment;
import static dev.sluice.internal.limiter.ledger.PlayedLedger.unavailable;
import static dev.sluice.internal.limiter.ledger.PlayedLedger.window;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore.News;
import dev.sluice.internal.limiter.account.Account;
import dev.sluice.internal.limiter.account.Outstanding.Why;
import dev.sluice.internal.limiter.account.Situations;
import dev.sluice.internal.limiter.account.Waits;
import dev.sluice.internal.limiter.counter.PendingCall;
import dev.sluice.internal.limiter.counter.PendingCall.Reason;
import dev.sluice.internal.limiter.counter.PendingCall.Surroundings;
import dev.sluice.internal.limiter.counter.PendingPolicy;
import dev.sluice.internal.limiter.counter.Shortage;
import dev.sluice.internal.limiter.shared.SharedPool;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Limit;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What the background makes of one pool: who goes on, who is refused, and what calls are told. */
class EntryTest {

    private final PlayedLedger played = new PlayedLedger();
    private final SharedPool pool = played.pool(window(100), "a");

    private static Entry entry(SharedPool of) {
        return (Entry) Objects.requireNonNull(of.attachment());
    }

    private static Account account(SharedPool of) {
        return entry(of).account();
    }

    /** The pool's account has another statement to send. */
    private void owes(SharedPool of, Why why) {
        entry(of).becomes(Situations.owing(account(of), why, played.now()));
    }

    private void hears(News.Kind kind) {
        played.ledger.receive(new News(kind, Set.of(entry(pool).key().text())), played.now());
    }

    /** A call that waits, and for which the store is being asked. */
    private PendingCall asked(long permits) {
        PendingCall call = played.waits(pool, permits);
        played.check(pool).collect();
        return call;
    }

    private void answers(long total, long granted, long elsewhere) {
        played.answer(statement -> new Grant(total, granted, elsewhere));
    }

    private long left() {
        return pool.snapshot().usage().left(played.nowMillis());
    }

    private static final class MayAwaitOutcomes implements PendingPolicy {
        @Override
        public void await(CompletableFuture<Boolean> news, long nanos) {}

        @Override
        public boolean beginAwaitingOutcomes(boolean isMadeUp) {
            return true;
        }
    }

    /** A call that waits until calls in flight return what they took. */
    private PendingCall awaitsOutcomes(SharedPool of) {
        List<Shortage> lacking = List.of(new Shortage(of, 1, 1, true, true));
        PendingCall call = new PendingCall(
                () -> of.take(1, played.nowMillis()) >= 0 ? List.of() : lacking,
                new Surroundings(() -> played.now().nanos(), new MayAwaitOutcomes(), played::requestCheck, () -> {}),
                played.now().nanos());
        call.standInLine(lacking);
        played.check(of);
        return call;
    }

    /** Calls look for a permit while the background gives back what has come back. */
    @Test
    void aWaitingCallAsksForAPermitThatGoesBackToTheStore() {
        SharedPool one = played.pool(window(1), "one");
        played.waits(one, 1);
        played.check(one).collect();
        answers(1, 1, 0);
        long state = one.state(played.nowMillis());
        one.addRefundable(1, state);
        PendingCall call = awaitsOutcomes(one);
        assertThat(call.reason()).isEqualTo(Reason.OUTCOMES);

        owes(one, Why.CHARGE); // another statement is due
        played.check(one);
        one.refund(1, state, played.nowMillis());
        one.addRefundable(-1, state);
        assertThat(played.at(60).collect())
                .singleElement()
                .extracting(statement -> statement.needed().all())
                .isEqualTo(1L);
        answers(1, 1, 0);
        assertThat(call.taken).isCompletedWithValue(true);
    }

    @Nested
    class AnAnswer {

        @Test
        void isToldToCalls() {
            asked(1);
            answers(40, 1, 7);
            assertThat(left()).isEqualTo(60);
            assertThat(pool.snapshot().outlook().elsewhere()).isEqualTo(7);
            assertThat(account(pool).books().recorded()).isEqualTo(1);
        }

        @Test
        void refusesCallsIfNothingIsLeft() {
            PendingCall call = asked(1);
            answers(100, 0, 0);
            assertThat(call.taken).isCompletedWithValue(false);
            assertThat(pool.snapshot().outlook().usedUpUntilMillis()).isEqualTo(Long.MAX_VALUE);
        }

        @Test
        void asksAgainForCallsThatNeedNoMoreThanIsLeft() {
            PendingCall much = played.waits(pool, 10);
            PendingCall little = asked(3);
            answers(97, 0, 0);
            assertThat(much.taken).isCompletedWithValue(false);
            assertThat(little.taken).isNotDone();
            assertThat(played.at(1).collect())
                    .singleElement()
                    .extracting(statement -> statement.needed().all())
                    .isEqualTo(3L);
        }

        @Test
        void letsCallsWaitForWhatOthersHold() {
            PendingCall call = asked(1);
            answers(100, 0, 5);
            assertThat(call.taken).isNotDone();
            assertThat(account(pool).waiting().here()).isEqualTo(Waits.Here.OTHERS_HOLD);
        }

        @Test
        void refusesNobodyIfSomethingCameBackSinceTheStoreWasAsked() {
            PendingCall call = asked(1);
            hears(News.Kind.FREED);
            answers(100, 0, 0);
            assertThat(call.taken).isNotDone();
            assertThat(account(pool).due()).extracting("why").isEqualTo(Why.CALLS_WAIT);
        }

        @Test
        void refusesCallsThatCameMeanwhileIfTheLastPermitIsGranted() {
            PendingCall first = asked(1);
            PendingCall second = played.waits(pool, 1);
            answers(100, 1, 0);
            assertThat(first.taken).isCompletedWithValue(true);
            assertThat(second.taken).isCompletedWithValue(false);
        }

        @Test
        void letsCallsThatCameMeanwhileWaitIfSomethingIsLeft() {
            PendingCall first = asked(1);
            PendingCall second = played.waits(pool, 1);
            answers(99, 1, 0);
            assertThat(first.taken).isCompletedWithValue(true);
            assertThat(second.taken).isNotDone();
            assertThat(account(pool).due()).extracting("why").isEqualTo(Why.CALLS_WAIT);
        }

        @Test
        void refusesNobodyWhoseWindowIsOver() {
            PendingCall call = asked(1);
            played.at(600_000);
            answers(100, 0, 0);
            assertThat(call.taken).as("it looks for the next window").isNotDone();
        }

        @Test
        void countsWhatWasChargedBeyondWhatWasInHand() {
            asked(1);
            answers(1, 1, 0);
            pool.charge(3, played.nowMillis());
            owes(pool, Why.CHARGE);
            played.check(pool).collect();
            answers(4, 0, 0);
            assertThat(pool.overdrawn()).isEqualTo(0);
            assertThat(pool.used()).isEqualTo(4);
        }

        @Test
        void thatComesTooLateCountsIt() {
            pool.charge(3, played.nowMillis());
            played.check(pool).collect();
            played.answerLate(statement -> new Grant(3, 0, 0));
            assertThat(pool.overdrawn()).isEqualTo(0);
            assertThat(pool.used()).isEqualTo(3);
        }
    }

    @Nested
    class AStatement {

        @Test
        void asksForWaitingCallsWhateverItsReason() {
            asked(1);
            answers(1, 1, 0);
            owes(pool, Why.REFUND);
            played.check(pool);
            played.waits(pool, 1); // no check yet
            assertThat(played.collect())
                    .singleElement()
                    .extracting(statement -> statement.needed().all())
                    .isEqualTo(1L);
            answers(100, 0, 5);
            assertThat(account(pool).waiting().here()).isEqualTo(Waits.Here.OTHERS_HOLD);
        }

        @Test
        void isNotMadeForCallsThatReturnedPermitsServe() {
            PendingCall call = played.waits(pool, 1);
            played.check(pool);
            pool.put(1);
            assertThat(played.collect())
                    .singleElement()
                    .extracting(statement -> statement.needed().all())
                    .isEqualTo(0L);
            assertThat(call.taken).isCompletedWithValue(true);
        }

        @Test
        void closesThePoolOnceItsWindowIsOver() {
            played.check(pool);
            owes(pool, Why.CHARGE);
            played.check(pool).at(600_200).collect();
            assertThat(pool.permits.isClosed()).isTrue();
        }

        @Test
        void thatReturnsPermitsOfAUsedUpLimitLetsCallsWaitUntilTheStoreHasThem() {
            asked(1);
            answers(100, 2, 0);
            assertThat(pool.snapshot().outlook().usedUpUntilMillis()).isEqualTo(Long.MAX_VALUE);
            hears(News.Kind.RECALLED);
            assertThat(played.at(1).collect())
                    .singleElement()
                    .extracting(Statement::held)
                    .isEqualTo(0L);
            assertThat(pool.permits.left()).isZero();
            assertThat(pool.snapshot().outlook().usedUpUntilMillis()).isZero();
        }
    }

    @Test
    void aLimitIsNotUsedUpOnceACallHasReturnedSomething() {
        asked(1);
        answers(100, 0, 0);
        pool.expectReturn();
        played.check(pool);
        assertThat(pool.isReturning()).isFalse();
        assertThat(pool.snapshot().outlook().usedUpUntilMillis()).isZero();
    }

    @Nested
    class WhileTheStoreIsUnavailable {

        @Test
        void whatIsUnrecordedOfAFrameIsRemembered() {
            SharedPool frame = played.pool(new Limit.SlidingWindow(100, Duration.ofSeconds(40), 4), "b");
            played.check(frame);
            played.beginOutage(unavailable(OnFailure.LOCAL));
            assertThat(frame.take(5, played.nowMillis())).isNotNegative();
            played.ledger.tick(moment(250));
            assertThat(frame.windows().history.unrecorded.before(frame.start() + 10_000))
                    .isEqualTo(List.of(5L, 0L, 0L, 0L));
        }

        @Test
        void whatWasUsedStaysUsedIfTheLimitIsChanged() {
            played.check(pool);
            played.beginOutage(unavailable(OnFailure.LOCAL));
            assertThat(pool.take(10, played.nowMillis())).isEqualTo(90);
            SharedPool changed = played.pool(window(120), "a");
            played.check(changed);
            assertThat(changed.permits.left()).isEqualTo(120 - 10);
        }
    }
}
