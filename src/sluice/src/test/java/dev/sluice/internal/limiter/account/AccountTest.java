package dev.sluice.internal.limiter.account;

import static dev.sluice.internal.limiter.account.Timeline.SLACK;
import static dev.sluice.internal.limiter.account.Timeline.USUAL;
import static dev.sluice.internal.limiter.account.Timeline.holding;
import static dev.sluice.internal.limiter.account.Timeline.idle;
import static dev.sluice.internal.limiter.account.Timeline.moment;
import static dev.sluice.internal.limiter.account.Timeline.opened;
import static dev.sluice.internal.limiter.account.Timeline.window;
import static dev.sluice.internal.limiter.simulation.CallPattern.bucket;
import static dev.sluice.internal.limiter.simulation.CallPattern.sliding;
import static dev.sluice.internal.limiter.simulation.CallPattern.slots;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.internal.limiter.account.Account.Stage;
import dev.sluice.internal.limiter.account.Outstanding.Why;
import dev.sluice.internal.limiter.shared.SharedSnapshot;
import dev.sluice.limits.SharingOptions.OnFailure;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class AccountTest {

    /** How long a ten-minute window counts, with the time for reports that come late. */
    private static final long USELESS = 600_000 + 2_000;

    /** An account that has used, reported and returned all. */
    private static Timeline settled() {
        return opened(window(100)).statements("nothing for RETURN").isGranted(0, 0);
    }

    @Nested
    class IsIdle {

        @Test
        void whenItIsNew() {
            idle(window(100), USUAL).expect(Account::stage, Stage.IDLE);
        }

        @Test
        void onceAllIsReportedAndNobodyHasCalledForATime() {
            settled().at(739).isQuiet(false).at(740).isQuiet(true);
        }

        @Test
        void notWhileSomethingIsUnreported() {
            settled().charges(1).at(5_000).isQuiet(false);
        }

        @Test
        void notWhileSomethingIsHeldOrTheStoreCountsItAsHeld() {
            holding(window(100), 1).at(5_000).isQuiet(false);
            holding(window(100), 1)
                    .hearsRecalled()
                    .statements("nothing for RECALLED")
                    .at(5_000)
                    .isQuiet(false);
        }

        @Test
        void notWhileSlotsAreOccupied() {
            holding(slots(5), 1)
                    .uses(1)
                    .statements("occupied 1, wanted 1 for RETURN")
                    .isGranted(0, 0)
                    .at(5_000)
                    .isQuiet(false);
        }

        @Test
        void notWhileAStatementIsInFlight() {
            opened(window(100)).statements("nothing for RETURN").at(5_000).isQuiet(false);
        }

        @Test
        void notWhileAStatementIsOwed() {
            settled().owes(Why.STORE_BACK).at(5_000).isQuiet(false);
        }

        @Test
        void notWhileCallsWait() {
            settled().needs(1).isChecked().at(5_000).isQuiet(false);
        }

        @Test
        void withSlackInHand() {
            opened(window(100), SLACK).at(5_000).isQuiet(true);
        }
    }

    @Nested
    class IsClosed {

        @Test
        void onceThePoolIsClosedAndAllIsReported() {
            settled().isDone(false).closes().isDone(true);
        }

        @Test
        void notWhileSomethingIsUnreportedOrHeld() {
            settled().charges(1).closes().isDone(false);
            holding(window(100), 1).closes().isDone(false);
        }

        @Test
        void notWhileACallIsUndecided() {
            settled()
                    .closes()
                    .isUndecided(true)
                    .isDone(false)
                    .isUndecided(false)
                    .isDone(true);
        }

        @Test
        void notWhileAStatementIsInFlight() {
            settled()
                    .charges(1)
                    .closes()
                    .statements("used 1 for RETURN")
                    .isDone(false)
                    .isGranted(0, 0)
                    .isDone(true);
        }

        @Test
        void onceAReportIsTooLateToMatter() {
            settled()
                    .charges(1)
                    .closes()
                    .at(USELESS)
                    .isDone(false)
                    .at(USELESS + 1)
                    .isDone(true);
        }

        @Test
        void notBeforeWhatIsHeldIsReturnedHoweverLate() {
            holding(window(100), 1).closes().at(USELESS + 1).isDone(false).statements("nothing for RETURN");
        }

        @Test
        void aPeriodLaterIfItsFrameStillCounts() {
            Timeline frame = opened(sliding(100, "PT10M", 1))
                    .statements("nothing for RETURN")
                    .isGranted(0, 0);
            frame.charges(1)
                    .closes()
                    .at(USELESS + 600_000)
                    .isDone(false)
                    .at(USELESS + 600_001)
                    .isDone(true);
        }

        @Test
        void neverTooEarlyWithoutWindows() {
            Timeline full = opened(bucket(10, "PT10S", 10))
                    .statements("nothing for RETURN")
                    .isGranted(0, 0);
            full.charges(1).closes().at(100 * USELESS).isDone(false);
        }

        @Test
        void andOpenAgainIfACallReturnsSomethingLate() {
            Timeline closed = holding(window(100), 1)
                    .uses(1)
                    .closes()
                    .statements("used 1 for RETURN")
                    .isGranted(0, 0);
            closed.enters(Stage.CLOSED).isWorthReopening(false).givesBack(1).isWorthReopening(true);
            closed.at(USELESS).isWorthReopening(true).at(USELESS + 1).isWorthReopening(false);
        }

        @Test
        void andStaysSoIfItIsNotClosedAtAll() {
            holding(window(100), 1).isWorthReopening(false);
        }
    }

    @Nested
    class ItsLastStatement {

        @Test
        void reportsAndReturnsAllAndAsksForNothing() {
            holding(window(100), 50)
                    .uses(30)
                    .closes()
                    .ticks()
                    .statements("used 30 for CLOSING")
                    .inHand(0);
        }

        @Test
        void isNotSentIfAllIsReported() {
            settled().closes().ticks().isDue(Why.CLOSING).statesNothing();
        }

        @Test
        void isNotSentOnceItIsTooLate() {
            settled().charges(1).closes().at(USELESS + 1).ticks().statesNothing();
        }

        @Test
        void hasSomethingToSayIfAnythingIsUsedOrHeld() {
            settled()
                    .expect(
                            account -> account.books()
                                    .hasFinalReport(account.terms(), settled().totals()),
                            false);
            for (Timeline last : new Timeline[] {settled().charges(1), holding(window(100), 1)}) {
                assertThat(last.account().books().hasFinalReport(last.account().terms(), last.totals()))
                        .isTrue();
            }
        }
    }

    @Nested
    class AStatement {

        @Test
        void isSentBeforeTheStoreHasAnsweredEvenIfThereIsNothingToSay() {
            opened(window(100)).statements("nothing for RETURN");
        }

        @Test
        void isSentAfterAnIntervalEvenIfThereIsNothingToSay() {
            settled().at(999).statesNothing().at(1_000).statements("nothing for RETURN");
        }

        @Test
        void saysWhatIsUsedHeldAndWanted() {
            holding(window(10_000), 150)
                    .at(300)
                    .uses(100)
                    .ticks()
                    .statements("used 100, held 50, wanted 90 for RETURN");
        }

        @Test
        void leavesAShareThatIsTooLargeAloneWhileCallsWait() {
            holding(window(10_000), 50)
                    .at(300)
                    .needsWithOthers(60)
                    .statements("held 50, needed 60 for CALLS_WAIT")
                    .inHand(50);
        }

        @Test
        void returnsWhatIsMoreThanTwiceTheShare() {
            holding(window(10_000), 30)
                    .at(300)
                    .uses(4)
                    .statements("used 4, held 12 for RETURN")
                    .inHand(12);
        }

        @Test
        void wantsNothingOnceNobodyHasCalledForATime() {
            holding(window(10_000), 100).at(300).uses(100).ticks().at(1_040).statements("used 100 for RETURN");
        }

        @Test
        void returnsAllOnceNobodyHasCalledForATime() {
            Timeline busy = holding(window(10_000), 110).at(300).uses(100).ticks();
            busy.at(1_040).statements("used 100 for RETURN").inHand(0);
        }

        @Test
        void wantsNothingIfNothingIsLeft() {
            holding(window(100), 100).at(300).uses(100).statements("used 100 for RETURN");
        }

        @Test
        void keepsItsReasonWhateverIsOwedMeanwhile() {
            Timeline statement = holding(window(100), 1)
                    .uses(1)
                    .owes(Why.LOW)
                    .statements("used 1 for LOW")
                    .owes(Why.REFUND);
            assertThat(statement.made().why()).isEqualTo(Why.LOW);
        }

        @Test
        void isInFlightUntilItIsAnswered() {
            opened(window(100))
                    .expect(Account::isStatementOut, false)
                    .statements("nothing for RETURN")
                    .expect(Account::isStatementOut, true)
                    .isGranted(0, 0)
                    .expect(Account::isStatementOut, false)
                    .expect(last -> last.known().isAnswered(), true);
        }

        @Test
        void isInFlightUntilItIsGivenUp() {
            opened(window(100))
                    .statements("nothing for RETURN")
                    .at(700)
                    .isGivenUp()
                    .expect(Account::isStatementOut, false)
                    .expect(last -> last.known().isAnswered(), false)
                    .isDueAt(700, Why.FAILED);
        }

        @Test
        void countsLeasesFromWhenItWasMade() {
            assertThat(opened(window(100))
                            .statements("nothing for RETURN")
                            .made()
                            .statement()
                            .leaseMillis())
                    .isEqualTo(5_000);
        }
    }

    @Nested
    class NewsMatter {

        private static void needsNews(Timeline timeline, boolean expected) {
            timeline.expect(Account::needsNews, expected);
        }

        @Test
        void whileTheStoreKnowsIt() {
            needsNews(opened(window(100)), false);
            needsNews(settled(), true);
            needsNews(settled().enters(Stage.IDLE), true);
        }

        @Test
        void whileTheStoreCountsSomethingAsHeldOrInUse() {
            needsNews(holding(window(100), 1).enters(Stage.IDLE), true);
            needsNews(
                    holding(slots(5), 1)
                            .uses(1)
                            .statements("occupied 1, wanted 1 for RETURN")
                            .isGranted(0, 0)
                            .enters(Stage.IDLE),
                    true);
        }

        @Test
        void whileTheLimitIsUsedUp() {
            needsNews(
                    opened(window(100))
                            .needs(1)
                            .statements("needed 1 for CALLS_WAIT")
                            .isAnswered(100, 0, 0)
                            .enters(Stage.IDLE),
                    true);
        }

        @Test
        void whileCallsWait() {
            needsNews(opened(window(100)).needs(1).isChecked(), true);
        }

        @Test
        void neverOnceItIsClosed() {
            needsNews(holding(window(100), 1).enters(Stage.CLOSED), false);
        }
    }

    @Nested
    class ATick {

        @Test
        void updatesTheRateOfCalls() {
            holding(window(1_000), 100)
                    .at(250)
                    .uses(30)
                    .ticks()
                    .expect(account -> account.pace().rate(account.terms(), moment(250)), 30.0);
        }

        @Test
        void doesNotTouchTheRateOfAClosedPool() {
            holding(window(1_000), 100)
                    .at(250)
                    .uses(30)
                    .closes()
                    .ticks()
                    .expect(account -> account.pace().rate(account.terms(), moment(250)), 0.0);
        }

        @Test
        void tellsCallsHowFewPermitsToLeave() {
            holding(window(1_000), 200).at(250).uses(100).ticks().tells(SharedSnapshot::lowWater, 4L);
        }
    }

    @Nested
    class PermitsWithoutAGrant {

        @Test
        void areCountedOnceThoughTheyChange() {
            holding(window(100), 10)
                    .losesStore(OnFailure.LOCAL)
                    .inHand(100)
                    .uses(30)
                    .losesStore(OnFailure.LOCAL)
                    .inHand(70)
                    .findsStore()
                    .inHand(0)
                    .statements("used 30, wanted 52 for RETURN");
        }

        @Test
        void areTheSameAccountIfNothingChanges() {
            Account account = settled().account();
            assertThat(account.allowed(0)).isSameAs(account);
            assertThat(account.owes(null, moment(0))).isSameAs(account);
            assertThat(new Event.Tick(false, false)
                            .on(account, settled().totals(), moment(0))
                            .account())
                    .isSameAs(account);
        }
    }

    @Test
    void aRecallReturnsAllThatIsHeld() {
        holding(window(100), 7)
                .hearsRecalled()
                .at(1)
                .statements("nothing for RECALLED")
                .inHand(0);
    }

    /** What the class comment of {@link Account} does not draw. */
    @Nested
    class TransitionsThatAreNotDrawn {

        private Throwable failureOf(Timeline timeline, Event event) {
            return catchThrowable(() -> timeline.happens(event));
        }

        @Test
        void aClosedAccountIsNotActiveBeforeItIsReopened() {
            assertThat(failureOf(settled().enters(Stage.CLOSED), new Event.Wake()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("a closed account has to be reopened first");
        }

        @Test
        void anAnswerNeedsAStatement() {
            for (Event answer : List.of(
                    new Event.Receive(Grant.VOID, 0, false), new Event.ReceiveTooLate(0, 0), new Event.HandOver())) {
                assertThat(failureOf(settled(), answer)).as("%s", answer).hasMessage("no statement is in flight");
            }
        }

        @Test
        void aClosedAccountIsReopenedOnlyToReportSomething() {
            settled().closes().enters(Stage.CLOSED).happens(new Event.Reopen()).expect(Account::stage, Stage.CLOSED);
            holding(window(100), 1)
                    .uses(1)
                    .statements("used 1 for RETURN")
                    .isGranted(0, 0)
                    .closes()
                    .enters(Stage.CLOSED)
                    .givesBack(1)
                    .happens(new Event.Reopen())
                    .expect(Account::stage, Stage.ACTIVE)
                    .isDue(Why.REFUND);
        }
    }
}
