package dev.sluice.internal.limiter.ledger;

import static dev.sluice.internal.limiter.ledger.PlayedLedger.WINDOW;
import static dev.sluice.internal.limiter.ledger.PlayedLedger.moment;
import static dev.sluice.internal.limiter.ledger.PlayedLedger.unavailable;
import static dev.sluice.internal.limiter.ledger.PlayedLedger.window;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore.News;
import dev.sluice.internal.limiter.account.Account;
import dev.sluice.internal.limiter.account.Account.Stage;
import dev.sluice.internal.limiter.account.Outstanding.Why;
import dev.sluice.internal.limiter.account.Situations;
import dev.sluice.internal.limiter.counter.PatientCall;
import dev.sluice.internal.limiter.counter.PendingCall;
import dev.sluice.internal.limiter.counter.Shortage;
import dev.sluice.internal.limiter.rule.Outage;
import dev.sluice.internal.limiter.shared.SharedPool;
import dev.sluice.internal.limiter.shared.SharedSnapshot.Mode;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LedgerTest {

    private final PlayedLedger played = new PlayedLedger();
    private final Ledger ledger = played.ledger;

    private static Entry entry(SharedPool pool) {
        return (Entry) Objects.requireNonNull(pool.attachment());
    }

    private static Account account(SharedPool pool) {
        return entry(pool).account();
    }

    private void use(SharedPool pool, long permits) {
        assertThat(pool.take(permits, 0, 0, played.nowMillis())).isNotNegative();
    }

    private static long count(List<String> names, String prefix) {
        return names.stream().filter(name -> name.startsWith(prefix)).count();
    }

    /** Pools that the store knows, and that hold nothing. */
    private List<SharedPool> known(String name, int number) {
        List<SharedPool> pools = played.pools(name, number);
        played.check(pools).waits(pools).exchangeAll(0);
        return pools;
    }

    private void owes(SharedPool pool, Why why) {
        entry(pool).becomes(Situations.owing(account(pool), why, played.now()));
    }

    /** Each pool has something to report, for which no call waits. */
    private void charge(List<SharedPool> pools) {
        pools.forEach(pool -> pool.charge(1, played.nowMillis()));
        pools.forEach(pool -> owes(pool, Why.CHARGE));
        played.check(pools);
    }

    @Nested
    class ABatch {

        @Test
        void hasAThousandStatements() {
            played.waits(played.pools("new", 1_001));
            assertThat(played.collect()).hasSize(1_000);
            assertThat(played.grantAhead(0).collect()).hasSize(1);
        }

        @Test
        void hasRoomForNewcomersHoweverManyTheStoreKnows() {
            charge(known("known", 950));
            played.waits(played.pools("new", 120));
            List<String> names = played.collectNames();
            assertThat(count(names, "known")).isEqualTo(900);
            assertThat(count(names, "new")).isEqualTo(100);
        }

        @Test
        void keepsRoomForNewcomersBesideCallsThatWaitForCountersThatTheStoreKnows() {
            List<SharedPool> waiting = known("waiting", 950);
            charge(known("known", 20));
            played.waits(waiting).waits(played.pools("new", 60));
            List<String> names = played.collectNames();
            assertThat(count(names, "waiting")).isEqualTo(940);
            assertThat(count(names, "known")).isZero();
            assertThat(count(names, "new")).isEqualTo(60);
        }

        @Test
        void leavesOutTheLastNewcomersWithoutACallThatWaits() {
            List<SharedPool> patient = played.pools("patient", 600);
            played.check(patient);
            charge(patient);
            played.waits(played.pools("waiting", 600));
            List<String> names = played.collectNames();
            assertThat(count(names, "waiting")).isEqualTo(600);
            assertThat(count(names, "patient")).isEqualTo(400);
        }

        @Test
        void tellsWhatTheStoreAnswered() {
            SharedPool pool = played.pool(window(100), "a");
            played.waits(List.of(pool));
            Batch batch = new Batch("me", 1, played.collect());
            Batch.Reply reply = new Batch.Reply(played.nowMillis(), List.of(new Grant(40, 1, 0)));
            assertThat(ledger.batch.applyReply(batch, reply, played.nowMillis(), played.now()))
                    .singleElement()
                    .satisfies(answered -> {
                        assertThat(answered.key()).isEqualTo(entry(pool).key());
                        assertThat(answered.left()).isEqualTo(60);
                    });
        }

        @Test
        void isSortedByWindow() {
            played.at(3_000_000);
            SharedPool later = played.pool("later");
            SharedPool earlier = played.pool(new Limit.FixedWindow(100, Duration.ofHours(1)), "earlier");
            SharedPool earliest = played.pool(new Limit.FixedWindow(100, Duration.ofDays(1)), "earliest");
            played.waits(List.of(later, earlier, earliest));
            assertThat(played.collectNames()).containsExactly("earliest", "earlier", "later");
        }

        @Test
        void hasWhatWasLostOfCountersThatAreGoneBeforeAllElse() {
            SharedPool gone = played.pool("gone");
            played.waits(List.of(gone)).exchangeAll(5);
            use(gone, 2);
            gone.counter.retire();
            played.check(gone).exchangeAll(0);
            assertThat(ledger.isAnyAccount()).isFalse();
            played.lose(-1).waits(played.pools("new", 1_000));
            assertThat(ledger.nextPatientNanos(0, 50)).isEqualTo(50);
            List<Statement> statements = played.collect();
            assertThat(statements).hasSize(1_000);
            assertThat(statements.stream()
                            .filter(statement -> PlayedLedger.name(statement).equals("gone")))
                    .singleElement()
                    .extracting(Statement::used)
                    .isEqualTo(3L); // one was used at once by the call that waited
        }

        @Test
        void whatItReportedOfCountersThatAreGoneIsReportedAgainIfItIsGivenUp() {
            List<SharedPool> gone = played.pools("gone", 2);
            played.waits(gone).exchangeAll(0);
            gone.forEach(pool -> pool.counter.retire());
            played.check(gone).exchangeAll(0);
            played.lose(-1);
            assertThat(played.collectNames()).containsExactlyInAnyOrder("gone0", "gone1");
            played.check(played.pool("gone1")); // it gets an entry meanwhile
            ledger.batch.giveUp(played.now());
            assertThat(played.collect())
                    .extracting(PlayedLedger::name, Statement::used)
                    .containsExactlyInAnyOrder(tuple("gone0", 1L), tuple("gone1", 1L));
            assertThat(played.grantAhead(0).collect()).isEmpty();
        }

        @Test
        void fillsUpSharesThatRunLowSoon() {
            SharedPool busy = played.pool("busy");
            SharedPool other = played.pool("other");
            played.waits(List.of(busy, other)).exchangeAll(110);
            use(busy, 100);
            ledger.tick(moment(250));
            played.at(251);
            assertThat(ledger.nextUrgentNanos(Long.MIN_VALUE)).isEqualTo(Long.MAX_VALUE);
            assertThat(played.collectNames()).containsExactly("busy");
        }

        @Test
        void isTheLastOneWithAllThatIsUsedOrHeld() {
            List<SharedPool> holding = played.pools("holding", 3);
            played.waits(holding).exchangeAll(5);
            use(holding.get(0), 2);
            List<Statement> last = ledger.batch.collectLast(played.now());
            assertThat(last)
                    .extracting(
                            statement -> PlayedLedger.name(statement) + " " + statement.used() + " " + statement.held())
                    .containsExactly("holding0 2 0", "holding1 0 0", "holding2 0 0");
            assertThat(holding).allMatch(pool -> pool.permits.isClosed());
        }
    }

    @Nested
    class TwoAccountsOfOneKey {

        private final SharedPool first = played.pool("a");
        private final SharedPool second = played.pool("a");

        @Test
        void reportOneAfterTheOther() {
            played.waits(List.of(first)).exchangeAll(5);
            use(first, 3);
            played.waits(List.of(second));
            assertThat(first.permits.isClosed()).isTrue();
            assertThat(played.collect()).singleElement().satisfies(statement -> {
                assertThat(statement.used()).isEqualTo(3);
                assertThat(statement.needed().all()).isZero();
            });
            assertThat(ledger.batch.collect(played.now())).isEmpty();
        }

        @Test
        void reportTheLaterOneOnceTheEarlierOneIsClosed() {
            played.waits(List.of(first)).exchangeAll(5);
            use(first, 3);
            played.waits(List.of(second));
            played.collect();
            played.grantAhead(0);
            assertThat(account(first).stage()).isEqualTo(Stage.CLOSED);
            assertThat(played.collect()).singleElement().satisfies(statement -> {
                assertThat(statement.used()).isZero();
                assertThat(statement.needed().all()).isEqualTo(1);
            });
        }

        @Test
        void waitForACallThatIsUndecided() {
            played.waits(List.of(first)).exchangeAll(5);
            assertThat(first.take(1, 0, 1, played.nowMillis())).isNotNegative();
            played.waits(List.of(second));
            assertThat(played.collect()).isEmpty();
            first.release(1, 0, played.nowMillis());
            assertThat(played.collect())
                    .singleElement()
                    .extracting(Statement::used)
                    .isEqualTo(0L);
        }

        @Test
        void passTheirSlotsOn() {
            Limit slots = new Limit.Concurrency(10, Limit.Concurrency.Scope.FLEET);
            SharedPool old = played.pool(slots, "p");
            SharedPool replacing = played.pool(slots, "p");
            played.waits(List.of(old)).exchangeAll(2);
            use(old, 2);
            played.waits(List.of(replacing));
            assertThat(account(old).stage()).isEqualTo(Stage.CLOSED);
            assertThat(entry(old).successor()).isSameAs(entry(replacing));
            assertThat(entry(replacing).totals(played.now()).occupied()).isEqualTo(3); // with the one that waited
            old.putBack(1, 0, played.nowMillis());
            assertThat(entry(replacing).totals(played.now()).occupied()).isEqualTo(2);
        }
    }

    @Nested
    class AnAnswer {

        @Test
        void closesAPoolThatIsReported() {
            SharedPool pool = played.pool("a");
            played.waits(List.of(pool)).exchangeAll(5);
            pool.counter.retire();
            played.check(pool).exchangeAll(0);
            assertThat(account(pool).stage()).isEqualTo(Stage.CLOSED);
            assertThat(ledger.isAnyAccount()).isFalse();
        }

        @Test
        void tellsHowManyCallsPassedOverTheLimit() {
            SharedPool pool = played.pool(window(10), "a");
            played.waits(List.of(pool)).exchangeAll(0);
            pool.charge(5, played.nowMillis());
            played.check(pool).collect();
            played.answer(statement -> new Grant(12, 0, 0));
            assertThat(played.answered)
                    .extracting(BatchInFlight.Answered::overLimit)
                    .containsExactly(2L);
        }

        /** Since the lease, the store counts the permits as used. But something may have come back since then. */
        @Test
        void anAnswerAfterTheLeaseGivesPermitsOfAWindow() {
            SharedPool pool = played.pool("a");
            SharedPool usedUp = played.pool(window(10), "b");
            PendingCall call = played.waits(pool, 1);
            played.waits(usedUp, 1);
            played.check(pool, usedUp).collect();
            played.at(10_000)
                    .answerLate(statement ->
                            PlayedLedger.name(statement).equals("a") ? new Grant(6, 6, 0) : new Grant(10, 0, 0));
            assertThat(call.taken).isCompletedWithValue(true);
            assertThat(pool.permits.left()).isEqualTo(5);
            assertThat(account(usedUp).known().isUsedUp()).isFalse();
            assertThat(played.collectNames()).contains("b");
        }

        /** A bucket has refilled meanwhile, and others may have been given the permits. */
        @Test
        void anAnswerAfterTheLeaseGivesNoPermitsOfABucket() {
            SharedPool pool = played.pool(new Limit.TokenBucket(10, Duration.ofMinutes(1), 10), "a");
            PendingCall call = played.waits(pool, 1);
            played.check(pool).collect();
            played.at(10_000).answerLate(statement -> new Grant(6, 6, 0));
            assertThat(pool.permits.left()).isZero();
            assertThat(call.taken).isNotDone();
            assertThat(account(pool).known().isAnswered()).isFalse();
            assertThat(played.collect())
                    .singleElement()
                    .extracting(statement -> statement.needed().all())
                    .isEqualTo(1L);
        }

        @Test
        void anAnswerAfterTheLeaseCountsTheReport() {
            SharedPool pool = played.pool(window(10), "a");
            played.waits(List.of(pool)).exchangeAll(0);
            pool.charge(5, played.nowMillis());
            played.check(pool).collect();
            played.at(10_000).answerLate(statement -> Grant.VOID);
            pool.charge(2, played.nowMillis());
            played.check(pool);
            assertThat(played.collect())
                    .singleElement()
                    .extracting(Statement::used)
                    .isEqualTo(2L);
        }

        @Test
        void aForgottenBatchLeavesNothingToReport() {
            SharedPool pool = played.pool(window(10), "a");
            played.waits(List.of(pool)).exchangeAll(0);
            pool.charge(5, played.nowMillis());
            played.check(pool).collect();
            ledger.batch.writeOff(played.nowMillis(), played.now());
            assertThat(account(pool).due()).extracting("why").isEqualTo(Why.FAILED);
            assertThat(played.at(10_000).collect())
                    .singleElement()
                    .extracting(Statement::used)
                    .isEqualTo(0L);
        }

        @Test
        void aMissingAnswerMakesAllReportAgain() {
            SharedPool pool = played.pool("a");
            played.waits(List.of(pool)).exchangeAll(0);
            pool.charge(5, played.nowMillis());
            played.at(10).check(pool);
            owes(pool, Why.CHARGE);
            played.check(pool);
            assertThat(played.collect()).hasSize(1);
            ledger.batch.giveUp(played.now());
            assertThat(account(pool).due()).extracting("why").isEqualTo(Why.FAILED);
            assertThat(played.collect())
                    .singleElement()
                    .extracting(Statement::used)
                    .isEqualTo(5L);
        }
    }

    @Nested
    class ATick {

        @Test
        void putsAnAccountToSleepOnceAllIsReported() {
            SharedPool pool = played.pool("a");
            played.waits(List.of(pool)).exchangeAll(5);
            ledger.tick(moment(750));
            assertThat(account(pool).stage()).isEqualTo(Stage.ACTIVE);
            played.at(750).exchangeAll(0);
            ledger.tick(moment(1_000));
            assertThat(account(pool).stage()).isEqualTo(Stage.IDLE);
            assertThat(ledger.nextTickNanos()).isEqualTo(Long.MAX_VALUE);
        }

        @Test
        void endsAWindow() {
            SharedPool pool = played.pool("a");
            played.waits(List.of(pool)).exchangeAll(5);
            ledger.tick(moment(600_099));
            assertThat(pool.permits.isClosed()).isFalse();
            ledger.tick(moment(600_400));
            assertThat(pool.permits.isClosed()).isTrue();
            assertThat(account(pool).due()).extracting("why").isEqualTo(Why.CLOSING);
        }
    }

    @Nested
    class Requests {

        @Test
        void openNoMoreNewcomersThanTwiceTheCountersInMemory() {
            PlayedLedger small = new PlayedLedger(2);
            List<SharedPool> pools = small.pools("new", 6);
            small.waits(pools);
            assertThat(pools.stream().filter(pool -> !pool.isUnseen())).hasSize(4);
            small.collect();
            small.grantAhead(0).check(pools);
            assertThat(pools).allMatch(pool -> !pool.isUnseen());
        }

        @Test
        void waitWhileTooManyNewcomersAreUnanswered() {
            PlayedLedger small = new PlayedLedger(2);
            List<SharedPool> first = small.pools("first", 4);
            small.check(first);
            List<SharedPool> more = small.pools("more", 3);
            small.check(more);
            assertThat(more).allMatch(pool -> pool.isUnseen());
            first.get(0).counter.retire();
            small.check().collect(); // it has nothing to report
            assertThat(account(first.get(0)).stage()).isEqualTo(Stage.CLOSED);
            small.check();
            assertThat(more.stream().filter(pool -> !pool.isUnseen())).hasSize(1);
        }

        @Test
        void ofACallThatEndsLateOpenAClosedAccountAgain() {
            SharedPool pool = played.pool("a");
            played.waits(List.of(pool)).exchangeAll(5);
            use(pool, 2);
            pool.counter.retire();
            played.check(pool).exchangeAll(0);
            assertThat(account(pool).stage()).isEqualTo(Stage.CLOSED);
            pool.putBack(1, 0, played.nowMillis());
            played.check();
            assertThat(played.collect())
                    .singleElement()
                    .extracting(Statement::used)
                    .isEqualTo(-1L);
            assertThat(ledger.isAnyAccount()).isTrue();
            played.grantAhead(0);
            assertThat(account(pool).stage()).isEqualTo(Stage.CLOSED);
            assertThat(ledger.isAnyAccount()).isFalse();
        }

        /** A statement of the closed account would say that this instance holds nothing, though the later one does. */
        @Test
        void ofACallThatEndsLateAreReportedByTheAccountThatReplacedIt() {
            SharedPool pool = played.pool(window(100), "a");
            played.waits(List.of(pool)).exchangeAll(5);
            use(pool, 2);
            pool.counter.retire();
            played.check(pool).exchangeAll(0);
            assertThat(account(pool).stage()).isEqualTo(Stage.CLOSED);
            SharedPool later = played.pool(window(120), "a");
            played.waits(List.of(later)).exchangeAll(7);
            pool.putBack(1, 0, played.nowMillis());
            played.check();
            assertThat(played.collect()).singleElement().satisfies(statement -> {
                assertThat(statement.used()).isEqualTo(-1);
                assertThat(statement.held()).isEqualTo(later.permits.left());
            });
            assertThat(account(pool).stage()).isEqualTo(Stage.CLOSED);
        }

        @Test
        void ofACallThatEndsInALaterFrameTellOthersOfTheLaterOneToo() {
            Limit sliding = new Limit.SlidingWindow(1_000, Duration.ofSeconds(40), 4);
            SharedPool frame = played.pool(sliding, "a");
            played.waits(List.of(frame)).exchangeAll(5);
            use(frame, 2);
            SharedPool next = played.at(10_000).current(frame.counter);
            played.at(10_100).check().exchangeAll(0);
            assertThat(account(frame).stage()).isEqualTo(Stage.CLOSED);
            frame.putBack(1, 0, played.nowMillis());
            played.check();
            assertThat(account(next).due()).extracting("why").isEqualTo(Why.RECALLED);
            assertThat(played.collect())
                    .hasSize(2)
                    .first()
                    .extracting(Statement::used)
                    .isEqualTo(-1L);
        }

        @Test
        void ofACallThatEndsAfterItsFrameTellOthersOfThePresentOne() {
            SharedPool frame = played.pool(new Limit.SlidingWindow(1_000, Duration.ofSeconds(40), 4), "a");
            played.waits(List.of(frame)).exchangeAll(5);
            use(frame, 2);
            SharedPool next = played.at(10_050).current(frame.counter);
            frame.refund(1, 0, played.nowMillis());
            played.check();
            assertThat(account(frame).stage()).isEqualTo(Stage.ACTIVE);
            assertThat(account(next).due()).extracting("why").isEqualTo(Why.RECALLED);
        }

        /** Otherwise those who wait in the present one would not hear of it. */
        @Test
        void ofWhatIsHeldOfAnEarlierFrameTellOthersOfThePresentOne() {
            SharedPool frame = played.pool(new Limit.SlidingWindow(1_000, Duration.ofSeconds(40), 4), "a");
            played.waits(List.of(frame)).exchangeAll(5);
            SharedPool next = played.at(10_050).current(frame.counter);
            ledger.receive(
                    new News(News.Kind.RECALLED, Set.of(account(frame).key().text())), played.now());
            assertThat(account(next).due()).extracting("why").isEqualTo(Why.RECALLED);
            assertThat(played.collect()).extracting(Statement::held).containsExactly(0L, 0L);
        }

        @Test
        void letCallsGoOnThatWaitForWhatWasReturned() {
            SharedPool pool = played.pool("a");
            PendingCall call = played.waits(pool, 1);
            pool.put(1);
            played.check(pool);
            assertThat(call.taken).isCompletedWithValue(true);
        }

        @Test
        void ofAPoolThatIsClosedLetCallsLookItUpAgain() {
            SharedPool pool = played.pool("a");
            List<Shortage> lacking = List.of(new Shortage(pool, 1, 1, true));
            PendingCall call = PatientCall.of(
                    () -> pool.permits.isClosed() ? List.of() : lacking, () -> 0, 0, played::requestCheck);
            call.standInLine(lacking);
            played.check(pool);
            assertThat(call.taken).isNotDone();
            pool.counter.retire();
            played.check();
            assertThat(call.taken).isCompletedWithValue(true);
        }

        @Test
        void ofACallWhoseLimitWasChangedLetTheNewCounterReportThatItsSlotIsFree() {
            SharedPool before = played.pool(new Limit.Concurrency(5, Limit.Concurrency.Scope.FLEET), "a");
            played.waits(List.of(before)).exchangeAll(0);
            SharedPool after = played.pool(new Limit.Concurrency(9, Limit.Concurrency.Scope.FLEET), "a");
            played.check(after).exchangeAll(0);
            assertThat(account(before).stage()).isEqualTo(Stage.CLOSED);
            before.putBack(1, 0, played.nowMillis());
            played.check().at(2_000);
            ledger.tick(played.now());
            assertThat(played.collect())
                    .singleElement()
                    .extracting(Statement::rule)
                    .isEqualTo(new Batch.Rule.Slots(9, 0, 0, played.nowMillis()));
        }

        @Test
        void ofACounterWithoutAnEntryTakeItsLostReportsOver() {
            SharedPool gone = played.pool("a");
            played.waits(List.of(gone)).exchangeAll(0);
            gone.counter.retire();
            played.check(gone).exchangeAll(0);
            played.lose(-1);
            played.waits(List.of(played.pool("a")));
            assertThat(played.collect()).singleElement().satisfies(statement -> {
                assertThat(statement.used()).isEqualTo(1);
                assertThat(statement.needed().all()).isEqualTo(1);
            });
        }
    }

    @Nested
    class NewsOfOtherInstances {

        private final SharedPool pool = played.pool(window(100), "a");

        private void hears(News.Kind kind) {
            ledger.receive(new News(kind, Set.of(entry(pool).key().text(), "unknown")), played.now());
        }

        @Test
        void recallWhatIsHeld() {
            played.waits(List.of(pool)).exchangeAll(5);
            hears(News.Kind.RECALLED);
            assertThat(played.at(1).collect())
                    .singleElement()
                    .extracting(Statement::held)
                    .isEqualTo(0L);
            assertThat(pool.permits.left()).isZero();
        }

        @Test
        void letCallsAskAgainForAUsedUpLimit() {
            played.waits(pool, 1);
            played.check(pool).collect();
            played.answer(asked -> new Batch.Grant(100, 0, 0));
            assertThat(pool.snapshot().outlook().usedUpUntilMillis()).isEqualTo(Long.MAX_VALUE);
            hears(News.Kind.FREED);
            assertThat(pool.snapshot().outlook().usedUpUntilMillis()).isZero();
            PendingCall call = played.waits(pool, 1);
            played.check(pool);
            assertThat(call.taken).isNotDone();
            assertThat(played.collect())
                    .singleElement()
                    .extracting(statement -> statement.needed().all())
                    .isEqualTo(1L);
        }
    }

    @Nested
    class TheStoreIsUnavailable {

        private final PlayedLedger unavailable = new PlayedLedger(2);

        @Test
        void thenTheSmallestReportsAreDroppedIfTooManyCountersWereEvicted() {
            List<SharedPool> gone = new ArrayList<>();
            for (long used : new long[] {40, 1, 3, 500, 17}) {
                SharedPool pool = unavailable.pool("used" + used);
                unavailable.waits(List.of(pool)).exchangeAll(0);
                pool.charge(used, unavailable.nowMillis());
                gone.add(pool);
            }
            SharedPool inUse = unavailable.pool("in use");
            unavailable.check(inUse);
            gone.forEach(pool -> pool.counter.retire());
            assertThat(unavailable.beginOutage(unavailable(OnFailure.LOCAL))).isEqualTo(3);
            assertThat(gone.stream().map(pool -> account(pool).stage()))
                    .containsExactly(Stage.ACTIVE, Stage.CLOSED, Stage.CLOSED, Stage.ACTIVE, Stage.CLOSED);
            assertThat(account(inUse).stage()).isEqualTo(Stage.ACTIVE);
            assertThat(unavailable.beginOutage(unavailable(OnFailure.LOCAL))).isZero();
        }

        @Test
        void thenAnUndecidedCounterIsNotWrittenOff() {
            List<SharedPool> pools = unavailable.pools("a", 3);
            unavailable.waits(pools).exchangeAll(2);
            for (SharedPool pool : pools) {
                int holders = pool.equals(pools.get(0)) ? 1 : 0;
                assertThat(pool.take(1, 0, holders, unavailable.nowMillis())).isNotNegative();
                pool.counter.retire();
            }
            assertThat(unavailable.beginOutage(unavailable(OnFailure.LOCAL))).isZero();
        }

        @Test
        void thenCallsThatWaitMayPass() {
            SharedPool pool = played.pool(window(100), "a");
            PendingCall call = played.waits(pool, 1);
            played.check(pool);
            played.beginOutage(unavailable(OnFailure.LOCAL));
            assertThat(call.taken).isCompletedWithValue(true);
            assertThat(pool.permits.left()).isEqualTo(99);
            assertThat(pool.snapshot().mode()).isEqualTo(Mode.WITHOUT_STORE);
        }

        /** The background has taken the permits out, and is about to tell calls why. */
        @Test
        void thenNoCallIsRefusedWhileItsPermitsAreWithdrawn() {
            SharedPool pool = played.pool(window(100), "a");
            played.check(pool);
            played.beginOutage(unavailable(OnFailure.LOCAL));
            assertThat(pool.withdraw(100)).isEqualTo(100);
            assertThat(pool.mayBeGranted(1, played.nowMillis())).isTrue();
            played.beginOutage(unavailable(OnFailure.DENY));
            assertThat(pool.mayBeGranted(1, played.nowMillis())).isFalse();
        }

        @Test
        void thenWhatWasUsedOfABucketFlowsBackAtTicks() {
            SharedPool pool = played.pool(new Limit.TokenBucket(10, Duration.ofSeconds(10), 10), "a");
            played.check(pool);
            played.beginOutage(unavailable(OnFailure.LOCAL));
            use(pool, 10);
            ledger.tick(moment(250));
            assertThat(pool.permits.left()).isZero();
            ledger.tick(moment(2_500));
            assertThat(pool.permits.left()).isEqualTo(2);
        }

        @Test
        void thenWhatWasUsedOfABucketFlowsBackWhenACallNeedsIt() {
            SharedPool pool = played.pool(new Limit.TokenBucket(10, Duration.ofSeconds(10), 10), "a");
            played.check(pool);
            played.beginOutage(unavailable(OnFailure.LOCAL));
            use(pool, 10);
            PendingCall call = played.waits(pool, 1);
            played.check(pool);
            assertThat(call.taken).isCompletedWithValue(false);
            PendingCall later = played.at(2_100).waits(pool, 1);
            played.check(pool);
            assertThat(later.taken).isCompletedWithValue(true);
            assertThat(pool.permits.left()).isEqualTo(1);
        }

        @Test
        void thenIdleAccountsReportOnceItAnswersIfTheyWereUsed() {
            List<SharedPool> pools = played.pools("a", 2);
            played.waits(pools).exchangeAll(0);
            ledger.tick(moment(1_000));
            assertThat(pools).allMatch(pool -> account(pool).stage() == Stage.IDLE);
            played.at(1_000);
            played.beginOutage(unavailable(OnFailure.LOCAL));
            use(pools.get(1), 7);
            played.endOutage();
            assertThat(account(pools.get(0)).stage()).isEqualTo(Stage.IDLE);
            assertThat(account(pools.get(1)).stage()).isEqualTo(Stage.ACTIVE);
            assertThat(played.collect())
                    .singleElement()
                    .extracting(Statement::used)
                    .isEqualTo(7L);
        }

        @Test
        void aCounterThatIsOpenedWhenItIsBackKeepsToItsPartUntilOthersHaveReported() {
            played.beginOutage(new Outage(OnFailure.SHARE, new Batch.Fleet(3, 0), PlayedLedger.START, false));
            played.store.answered();
            ledger.endOutage(played.now());
            SharedPool pool = played.pool(window(90), "a");
            played.check(pool);
            assertThat(pool.snapshot().mode()).isEqualTo(Mode.STORE_BACK);
            played.endOutage();
            assertThat(pool.snapshot().mode()).isEqualTo(Mode.NEW);
        }

        @Test
        void thenAllReportOnceItAnswers() {
            List<SharedPool> pools = played.pools("a", 3);
            played.waits(pools).exchangeAll(0);
            played.beginOutage(unavailable(OnFailure.LOCAL));
            use(pools.get(1), 7);
            played.endOutage();
            assertThat(pools)
                    .allSatisfy(pool ->
                            assertThat(account(pool).due()).extracting("why").isEqualTo(Why.STORE_BACK));
            assertThat(pools).allMatch(pool -> pool.snapshot().mode() == Mode.SHARED && pool.permits.left() == 0);
            assertThat(played.collect())
                    .extracting(statement -> PlayedLedger.name(statement) + " " + statement.used())
                    .contains("a1 7");
        }
    }

    /** This process stood still, or the store does not answer, for so long that leases may be over. */
    @Nested
    class LeasesThatMayBeOver {

        private static final Limit BUCKET = new Limit.TokenBucket(10, Duration.ofMinutes(1), 10);

        @Test
        void keepPermitsOfAWindowWhichTheStoreCountsAsUsed() {
            SharedPool pool = played.pool("a");
            played.waits(List.of(pool)).exchangeAll(5);
            played.at(9_000);
            ledger.endLeases(played.now());
            assertThat(pool.permits.left()).isEqualTo(5);
            assertThat(account(pool).due()).isNull();
        }

        /** Until the store has heard of the return, an answer that is on its way does not make the limit used up. */
        @Test
        void leaveALimitThatIsNotUsedUp() {
            SharedPool pool = played.pool(BUCKET, "a");
            played.waits(List.of(pool)).exchangeAll(5);
            use(pool, 3);
            assertThat(played.ticksUntil(1_000).collect()).hasSize(1);
            played.at(9_000);
            ledger.endLeases(played.now());
            assertThat(pool.permits.left()).isZero();
            played.answer(statement -> new Grant(Long.MAX_VALUE / 2, 0, 0, List.of(0L)));
            assertThat(account(pool).known().isUsedUp()).isFalse();
        }

        @Test
        void endOnceTheStoreHasNotAnsweredForMostOfALease() {
            SharedPool pool = played.pool(BUCKET, "a");
            SharedPool window = played.pool(window(100), "window");
            played.waits(List.of(pool, window)).exchangeAll(3);
            played.ticksUntil(1_000);
            use(pool, 1);
            use(window, 1);
            played.check(pool, window).collect(); // never answered
            played.ticksUntil(3_250);
            assertThat(pool.permits.left()).isEqualTo(2);
            played.ticksUntil(3_750);
            assertThat(pool.permits.left()).isZero();
            assertThat(window.permits.left()).isEqualTo(2);
        }

        @Test
        void endWithWhatIsHeldBeingReturned() {
            SharedPool pool = played.pool(BUCKET, "a");
            SharedPool other = played.pool(BUCKET, "other");
            played.waits(List.of(pool)).waits(List.of(other)).exchangeAll(5);
            other.giveBack(5);
            played.at(9_000);
            ledger.endLeases(played.now());
            assertThat(pool.permits.left()).isZero();
            assertThat(account(pool).due()).extracting("why").isEqualTo(Why.RETURN);
            assertThat(account(other).due()).isNull();
            assertThat(played.collect())
                    .singleElement()
                    .extracting(Statement::held)
                    .isEqualTo(0L);
        }
    }

    @Nested
    class AWaitThatTakesTooLong {

        private final SharedPool pool = played.pool(window(100), "a");
        private final PendingCall call = played.waits(pool, 3);

        @Test
        void isDecidedByThePolicyIfTheStoreHasNotAnswered() {
            played.check(pool).collect();
            ledger.endLongWaits(moment(-1).nanos(), moment(-1).nanos(), unavailable(OnFailure.LOCAL), moment(50));
            assertThat(call.taken).isNotDone();
            ledger.endLongWaits(moment(0).nanos(), moment(0).nanos(), unavailable(OnFailure.LOCAL), moment(50));
            assertThat(call.taken).isCompletedWithValue(true);
            assertThat(pool.permits.left()).isZero();
        }

        @Test
        void endsWithoutPermitsIfThePolicyDenies() {
            played.check(pool).collect();
            ledger.endLongWaits(moment(0).nanos(), moment(0).nanos(), unavailable(OnFailure.DENY), moment(50));
            assertThat(call.taken).isCompletedWithValue(false);
            assertThat(pool.permits.left()).isZero();
        }

        @Test
        void isRefusedForAMomentIfOthersAreUnresponsive() {
            played.check(pool).collect();
            played.answer(statement -> new Grant(100, 0, 5));
            ledger.endLongWaits(moment(0).nanos(), moment(0).nanos(), unavailable(OnFailure.LOCAL), moment(50));
            assertThat(call.taken).isCompletedWithValue(false);
            assertThat(pool.permits.left()).isZero();
            assertThat(pool.snapshot().outlook().usedUpUntilMillis())
                    .isEqualTo(moment(300).millis());
        }
    }

    @Nested
    class WhatTheStoreHasLost {

        @Test
        void isReportedAgainByIdleAccountsToo() {
            SharedPool pool = played.pool(WINDOW, "a");
            played.waits(List.of(pool)).exchangeAll(0);
            ledger.tick(moment(1_000));
            assertThat(account(pool).stage()).isEqualTo(Stage.IDLE);
            played.at(2_000).lose(0);
            assertThat(account(pool).stage()).isEqualTo(Stage.ACTIVE);
            assertThat(played.collect())
                    .singleElement()
                    .extracting(Statement::used)
                    .isEqualTo(1L);
        }
    }
}
