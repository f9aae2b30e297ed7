package dev.sluice.internal.limiter.account;

import static dev.sluice.internal.limiter.account.Timeline.SLACK;
import static dev.sluice.internal.limiter.account.Timeline.holding;
import static dev.sluice.internal.limiter.account.Timeline.opened;
import static dev.sluice.internal.limiter.account.Timeline.window;
import static dev.sluice.internal.limiter.simulation.CallPattern.slots;

import dev.sluice.internal.limiter.account.Account.Stage;
import dev.sluice.internal.limiter.account.Outstanding.Why;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DueTest {

    /** A limit that is far from used up. */
    private static Timeline holdingOfMany(long permits) {
        return holding(window(10_000), permits);
    }

    /** A call by slack, under a limit of which others had used so much in no time. */
    private static Timeline calledSeldom(long used) {
        return opened(window(1_000), SLACK)
                .uses(1)
                .statements("used 1 for RETURN")
                .isAnswered(used, 0, 0)
                .at(100)
                .uses(1)
                .ticks();
    }

    /** A limit that is used up here. */
    private static Timeline usedUp() {
        return holding(window(10), 10)
                .uses(10)
                .needs(1)
                .statements("used 10, needed 1 for CALLS_WAIT")
                .isGranted(0, 0);
    }

    /** For each reason, the least that makes a statement due. */
    private static Timeline enough(Why why) {
        return switch (why) {
            case CALLS_WAIT -> holdingOfMany(0).at(5).needs(1).isChecked();
            case RECALLED -> holdingOfMany(1).hearsRecalled();
            case REFUND ->
                holdingOfMany(0)
                        .needs(2)
                        .statements("needed 2 for CALLS_WAIT")
                        .needsNoMore()
                        .isGranted(2, 0);
            case OVERDRAWN -> holding(window(100), 0).charges(100).isChecked();
            case GIVEN -> holdingOfMany(1).hearsGiven();
            case LOW -> holdingOfMany(103).uses(100).ticks().isChecked();
            case CHARGE -> holding(window(120), 0).charges(4).isChecked();
            case RETURN -> holdingOfMany(1).at(740).ticks();
            case INTERVAL -> holdingOfMany(204).at(500).uses(100).endsInterval();
            case USED_UP -> usedUp().at(2_000).ticks();
            case CLOSING -> holdingOfMany(1).closes().ticks();
            case LOST -> holdingOfMany(1).isLost();
            case STORE_BACK -> holdingOfMany(1).owes(Why.STORE_BACK);
            case FAILED ->
                holdingOfMany(1).uses(1).statements("used 1 for RETURN").isGivenUp();
        };
    }

    /** For each reason, what does not make a statement due yet. */
    private static Timeline tooLittle(Why why) {
        return switch (why) {
            case CALLS_WAIT -> holdingOfMany(0).at(5).isChecked();
            case RECALLED -> holdingOfMany(0).hearsRecalled().at(1);
            case REFUND ->
                holdingOfMany(0).needs(2).statements("needed 2 for CALLS_WAIT").isGranted(2, 0);
            case OVERDRAWN -> usedUp().charges(100).isChecked();
            case GIVEN -> holdingOfMany(1).hearsFreed();
            case LOW -> holdingOfMany(104).uses(100).ticks().isChecked();
            case CHARGE -> holding(window(120), 0).charges(3).isChecked();
            case RETURN -> holdingOfMany(1).at(739).ticks();
            case INTERVAL -> holdingOfMany(205).at(500).uses(100).endsInterval();
            case USED_UP -> usedUp().at(1_999).ticks();
            case CLOSING -> holdingOfMany(1).ticks();
            case LOST -> holdingOfMany(1).hearsFreed();
            case STORE_BACK -> holdingOfMany(1).findsStore();
            case FAILED ->
                holdingOfMany(1).uses(1).statements("used 1 for RETURN").isGranted(0, 0);
        };
    }

    @ParameterizedTest
    @EnumSource
    void aStatementIsDueForThisReasonAsSoonAsThereIsEnoughOfIt(Why why) {
        enough(why).isDue(why);
    }

    @ParameterizedTest
    @EnumSource
    void aStatementIsNotDueYet(Why why) {
        tooLittle(why).nothingIsDue();
    }

    @ParameterizedTest
    @EnumSource
    void noStatementIsDueWhileOneIsInFlight(Why why) {
        enough(why).hasStatementInFlight().nothingIsDue();
    }

    @ParameterizedTest
    @EnumSource
    void noStatementIsDueWhileTheAccountIsIdle(Why why) {
        enough(why).enters(Stage.IDLE).nothingIsDue();
    }

    @Nested
    class ChargesOfCalls {

        @Test
        void areReportedAtOnceWhenTheyNeedWhatOthersHold() {
            holding(window(100), 0)
                    .needs(1)
                    .statements("needed 1 for CALLS_WAIT")
                    .needsNoMore()
                    .isAnswered(100, 0, 100)
                    .charges(1)
                    .isChecked()
                    .isDue(Why.OVERDRAWN);
        }

        @Test
        void areReportedSoonWhenOneMoreCallIsLeft() {
            holding(window(100), 0).charges(99).isChecked().isDue(Why.CHARGE);
        }

        @Test
        void waitForATickWhenTheLimitIsUsedUpAnyway() {
            usedUp().charges(1).isChecked().nothingIsDue().at(250).ticks().nothingIsDue();
        }

        @Test
        void doNotCountWhatIsInHand() {
            holding(window(120), 50).charges(50).isChecked().nothingIsDue();
        }
    }

    @Nested
    class WhatIsCheckedAfterACall {

        @Test
        void isFirstWhetherItWaits() {
            holdingOfMany(0).charges(10_000).needs(1).isChecked().isDue(Why.CALLS_WAIT);
        }

        @Test
        void isWhetherThePoolIsClosedEvenIfCallsWait() {
            holdingOfMany(1).needs(1).closes().isChecked().isDue(Why.CLOSING);
        }

        @Test
        void isWhetherTheStoreCountsTooMuchBeforeCharges() {
            holdingOfMany(0)
                    .needs(9)
                    .statements("needed 9 for CALLS_WAIT")
                    .needsNoMore()
                    .isGranted(9, 0)
                    .statements("used -9, wanted 21 for REFUND")
                    .isGranted(0, 0)
                    .givesBack(1)
                    .isChecked()
                    .isDue(Why.REFUND);
        }
    }

    @Nested
    class AtTheEndOfAnInterval {

        /** Called often enough that 100 calls an interval are expected: a share of 140. */
        private Timeline calledOften(long held) {
            return holdingOfMany(100 + held).at(500).uses(100);
        }

        @Test
        void aShareIsFilledUpOnceAQuarterIsMissing() {
            calledOften(104)
                    .endsInterval()
                    .isDue(Why.INTERVAL)
                    .statements("used 100, held 104, wanted 36 for INTERVAL");
            calledOften(105).endsInterval().nothingIsDue();
        }

        @Test
        void aShareIsNotFilledUpBefore() {
            calledOften(0).ticks().nothingIsDue();
        }

        @Test
        void aShareIsNotFilledUpUnlessACallUsedIt() {
            calledOften(104)
                    .statements("used 100, held 104, wanted 36 for RETURN")
                    .isAnswered(204, 0, 0)
                    .endsInterval()
                    .nothingIsDue();
        }

        @Test
        void aShareIsNotFilledUpWhenNothingIsLeft() {
            holding(window(204), 204).at(500).uses(100).endsInterval().nothingIsDue();
        }

        @Test
        void aShareIsCutDownOnceItIsMoreThanTwice() {
            calledOften(280).endsInterval().nothingIsDue();
            calledOften(281)
                    .endsInterval()
                    .isDue(Why.INTERVAL)
                    .statements("used 100, held 140 for INTERVAL")
                    .inHand(140);
        }

        @Test
        void useIsReportedEveryTwoIntervals() {
            calledOften(140)
                    .ticks()
                    .at(1_500)
                    .uses(60)
                    .ticks()
                    .at(1_999)
                    .endsInterval()
                    .nothingIsDue();
            calledOften(140)
                    .ticks()
                    .at(1_500)
                    .uses(60)
                    .ticks()
                    .at(2_000)
                    .endsInterval()
                    .isDue(Why.INTERVAL);
        }
    }

    @Nested
    class OnceNobodyCalls {

        @Test
        void theShareIsReturned() {
            holdingOfMany(7)
                    .at(739)
                    .ticks()
                    .nothingIsDue()
                    .at(740)
                    .ticks()
                    .statements("nothing for RETURN")
                    .inHand(0);
        }

        @Test
        void useIsReported() {
            holdingOfMany(1).at(100).uses(1).ticks().at(840).ticks().statements("used 1 for RETURN");
        }

        /** With less slack than an instance would have in a small fleet. */
        @Test
        void useOfACalmLimitIsReportedTwoIntervalsLater() {
            calledSeldom(1).at(840).ticks().nothingIsDue();
            calledSeldom(1).at(2_099).ticks().endsInterval().nothingIsDue();
            calledSeldom(1).at(2_100).ticks().statements("used 1 for RETURN");
            calledSeldom(16).at(840).ticks().statements("used 1 for RETURN");
        }

        @Test
        void nothingIsDueOnceAllIsReported() {
            opened(window(100)).at(5_000).ticks().nothingIsDue();
        }

        @Test
        void slackIsNotReturned() {
            opened(window(100), SLACK).at(5_000).ticks().nothingIsDue().inHand(10);
        }

        @Test
        void theLeaseOfSlotsIsRenewedEveryTwoIntervals() {
            holding(slots(10), 2)
                    .uses(2)
                    .statements("occupied 2, wanted 1 for RETURN")
                    .isGranted(0, 0)
                    .at(1_999)
                    .ticks()
                    .nothingIsDue()
                    .at(2_000)
                    .ticks()
                    .statements("occupied 2 for RETURN");
        }
    }

    @Nested
    class ReasonsThatMeet {

        @Test
        void theMoreUrgentOneIsGivenAndTheEarlierTimeIsKept() {
            holdingOfMany(1).at(5).owes(Why.LOW).at(9).owes(Why.REFUND).isDueAt(5, Why.REFUND);
        }

        @Test
        void anUrgentOneIsNotReplaced() {
            holdingOfMany(1).at(5).owes(Why.REFUND).at(9).owes(Why.INTERVAL).isDueAt(5, Why.REFUND);
        }

        @Test
        void theLaterOneIsGivenIfNoneIsUrgent() {
            holdingOfMany(1).at(5).owes(Why.LOW).at(9).owes(Why.RETURN).isDueAt(5, Why.RETURN);
        }

        @Test
        void callsThatWaitComeBeforeWhatIsOwed() {
            holdingOfMany(1).owes(Why.REFUND).at(5).needs(2).isChecked().isDueAt(5, Why.CALLS_WAIT);
        }

        @Test
        void callsThatWaitHereAreNamedBeforeThoseElsewhere() {
            holdingOfMany(1).needs(2).isChecked().hearsRecalled().isDue(Why.CALLS_WAIT);
        }

        @Test
        void aStatementAnswersAllThatWasOwed() {
            holdingOfMany(1)
                    .uses(1)
                    .owes(Why.LOW)
                    .owes(Why.REFUND)
                    .statements("used 1 for REFUND")
                    .isGranted(0, 0)
                    .nothingIsDue();
        }

        @Test
        void whatIsOwedWhileAStatementIsInFlightIsDueAfterIt() {
            holdingOfMany(1)
                    .uses(1)
                    .statements("used 1 for RETURN")
                    .at(3)
                    .owes(Why.LOST)
                    .nothingIsDue()
                    .at(9)
                    .isGranted(0, 0)
                    .isDueAt(3, Why.LOST);
        }
    }

    @Nested
    class BeforeAnExchangeForAnotherAccount {

        /** Expects 100 calls an interval, so 20 within 200 ms, and has this much in hand. */
        private Timeline calledOften(long threshold, long inHand) {
            return holding(window(threshold), 100 + inHand).at(500).uses(100).ticks();
        }

        @Test
        void aShareThatRunsLowSoonIsFilledUp() {
            calledOften(10_000, 19).isExchangedAnyway().isDue(Why.LOW);
            calledOften(10_000, 20).isExchangedAnyway().nothingIsDue();
        }

        @Test
        void aShareIsFilledUpEarlyOnlyIfPlentyIsLeft() {
            calledOften(119 + 200, 19).isExchangedAnyway().isDue(Why.LOW);
            calledOften(119 + 199, 19).isExchangedAnyway().nothingIsDue();
        }

        @Test
        void aCallerWhoHasNoShareGetsNoneEarly() {
            holding(window(10_000), 2)
                    .at(500)
                    .uses(2)
                    .ticks()
                    .isExchangedAnyway()
                    .nothingIsDue();
        }

        @Test
        void slotsAreNotFilledUpEarly() {
            holding(slots(1_000), 100)
                    .at(500)
                    .uses(100)
                    .ticks()
                    .isExchangedAnyway()
                    .nothingIsDue();
        }

        @Test
        void aShareThatNobodyUsesIsNotFilledUp() {
            calledOften(10_000, 1).at(1_240).isExchangedAnyway().nothingIsDue();
        }

        @Test
        void useOfACalmLimitIsReportedWithIt() {
            calledSeldom(1).isExchangedAnyway().isDue(Why.INTERVAL);
            calledSeldom(16).isExchangedAnyway().nothingIsDue();
        }

        @Test
        void theStoreIsAskedWhetherALimitIsStillUsedUp() {
            usedUp().at(999).isExchangedAnyway().nothingIsDue();
            usedUp().at(1_000).isExchangedAnyway().isDue(Why.USED_UP);
        }

        @Test
        void whatIsOwedAnywayKeepsItsReason() {
            calledOften(10_000, 1).owes(Why.LOST).isExchangedAnyway().isDue(Why.LOST);
        }

        @Test
        void anIdleAccountOwesNothing() {
            calledOften(10_000, 1)
                    .enters(Stage.IDLE)
                    .isExchangedAnyway()
                    .enters(Stage.ACTIVE)
                    .nothingIsDue();
        }
    }
}
