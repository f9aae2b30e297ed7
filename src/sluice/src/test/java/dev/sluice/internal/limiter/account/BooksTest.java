package dev.sluice.internal.limiter.account;

import static dev.sluice.internal.limiter.account.Timeline.SLACK;
import static dev.sluice.internal.limiter.account.Timeline.holding;
import static dev.sluice.internal.limiter.account.Timeline.opened;
import static dev.sluice.internal.limiter.account.Timeline.window;
import static dev.sluice.internal.limiter.simulation.CallPattern.slots;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.limiter.account.Outstanding.Why;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Sync;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BooksTest {

    private static long held(Timeline timeline) {
        return timeline.account().books().heldNow(timeline.totals());
    }

    private static long ungranted(Timeline timeline) {
        return timeline.account().books().ungrantedLeft(timeline.totals());
    }

    private static long unreported(Timeline timeline) {
        return timeline.account().books().unreported(timeline.totals());
    }

    @Nested
    class WhatAStatementAskedThatWasAppliedLongAgo {

        @Test
        void isAskedAgainForWaitingCalls() {
            opened(window(100))
                    .needs(3)
                    .statements("needed 3 for CALLS_WAIT")
                    .at(62_000)
                    .isAppliedInVain(0, 5)
                    .expect(last -> last.known().isAnswered(), false)
                    .isDueAt(0, Why.CALLS_WAIT)
                    .statements("needed 3 for CALLS_WAIT")
                    .isGranted(3, 0);
        }

        /** The store may have given it to others. */
        @Test
        void isNotInHand() {
            opened(window(100))
                    .uses(0)
                    .statements("nothing for RETURN")
                    .at(62_000)
                    .isAppliedInVain(0, 0)
                    .inHand(0)
                    .statements("nothing for FAILED");
        }

        @Test
        void doesNotChangeWhatIsKnown() {
            Timeline late = holding(window(100), 10).uses(10).statements("used 10, wanted 23 for RETURN");
            late.at(62_000).isAppliedInVain(0, 0).isNotUsedUp();
            late.uses(0).statements("nothing for FAILED").isAnswered(10, 0, 0);
        }
    }

    @Nested
    class GrantedAndUngrantedPermits {

        /** Ten ungranted permits, and as many granted ones. */
        private Timeline both() {
            return opened(window(1_000), new Sync(Timeline.USUAL.every(), 0.01, false))
                    .statements("nothing for RETURN")
                    .isGranted(10, 0)
                    .inHand(20);
        }

        @Test
        void callsUseGrantedPermitsFirstAndUngrantedOnesThen() {
            Timeline used = both().uses(8);
            assertThat(held(used)).isEqualTo(2);
            assertThat(ungranted(used)).isEqualTo(10);
            used.uses(4);
            assertThat(held(used)).isZero();
            assertThat(ungranted(used)).isEqualTo(8);
        }

        @Test
        void reportedUngrantedPermitsAreNoLongerUngranted() {
            Timeline used = opened(window(100), SLACK).uses(3).statements("used 3, wanted 10 for RETURN");
            used.isAnswered(100, 0, 0).inHand(0); // all others are withdrawn, since nothing is left
            assertThat(used.account().books().ungranted()).isZero();
        }

        @Test
        void unusedUngrantedPermitsAreWithdrawn() {
            Timeline unavailable = holding(window(100), 0)
                    .losesStore(OnFailure.LOCAL)
                    .uses(70)
                    .findsStore()
                    .inHand(0);
            assertThat(unavailable.account().books().ungranted()).isEqualTo(70);
            assertThat(unreported(unavailable)).isEqualTo(70);
        }

        @Test
        void whatIsReturnedIsNotUsed() {
            Timeline returned = holding(window(100), 10).uses(4).hearsRecalled().statements("used 4 for RECALLED");
            assertThat(unreported(returned)).isEqualTo(4);
            assertThat(held(returned)).isZero();
        }
    }

    @Nested
    class WhatWasUsed {

        @Test
        void isReportedOnce() {
            Timeline used = holding(window(100), 10).uses(4).statements("used 4, held 6, wanted 6 for RETURN");
            used.uses(1).isAnswered(10, 0, 0);
            assertThat(unreported(used)).isEqualTo(1);
            used.statements("used 1, held 5, wanted 9 for RETURN");
        }

        @Test
        void isReportedAgainIfTheStatementIsGivenUp() {
            holding(window(100), 10)
                    .uses(2)
                    .at(800)
                    .owes(Why.LOW)
                    .statements("used 2 for LOW")
                    .at(900)
                    .isGivenUp()
                    .isDue(Why.FAILED)
                    .statements("used 2 for FAILED");
        }

        @Test
        void ofAnUnansweredStatementMayHaveBeenGrantedSoThatSomethingIsReported() {
            holding(window(100), 10)
                    .uses(10)
                    .statements("used 10, wanted 23 for RETURN")
                    .isAnswered(10, 0, 0)
                    .at(900)
                    .needs(2)
                    .statements("needed 2 for CALLS_WAIT")
                    .needsNoMore()
                    .isGivenUp()
                    .at(1_700)
                    .statements("nothing for FAILED");
        }

        @Test
        void isReportedOnceIfTheStatementWasAppliedLongAgo() {
            holding(window(100), 10)
                    .uses(2)
                    .at(800)
                    .owes(Why.LOW)
                    .statements("used 2 for LOW")
                    .at(62_000)
                    .isAppliedInVain(0, 800)
                    .isDue(Why.FAILED)
                    .statements("nothing for FAILED");
        }

        @Test
        void inExcessIsReportedOnceThoughTheStatementWasAppliedLongAgo() {
            Timeline charged = holding(window(100), 3).charges(5).statements("used 5, wanted 14 for RETURN");
            charged.at(62_000).isAppliedInVain(0, 0).statements("nothing for FAILED");
            assertThat(charged.totals().overdrawn()).isZero();
        }

        @Test
        void byCallsThatWereDecidedWithoutIsReturned() {
            opened(window(100))
                    .needs(3)
                    .statements("needed 3 for CALLS_WAIT")
                    .needsNoMore()
                    .at(62_000)
                    .isAppliedInVain(3, 5)
                    .statements("used -3 for REFUND");
        }

        @Test
        void ofSlotsByCallsThatWereDecidedWithoutIsReturned() {
            opened(slots(10))
                    .needs(2)
                    .statements("needed 2 for CALLS_WAIT")
                    .needsNoMore()
                    .at(62_000)
                    .isAppliedInVain(2, 5)
                    .statements("nothing for FAILED");
        }

        @Test
        void withoutAGrantWhileAStatementIsInFlightTakesTheGrantsPlace() {
            holding(window(10), 0)
                    .needs(1)
                    .statements("needed 1 for CALLS_WAIT")
                    .losesStore(OnFailure.LOCAL)
                    .inHand(10)
                    .uses(1)
                    .needsNoMore()
                    .isGranted(1, 0) // which counts as used at once
                    .inHand(0)
                    .statesNothing();
        }

        @Test
        void inExcessIsReportedOnce() {
            Timeline charged = holding(window(100), 3).charges(5).statements("used 5, wanted 14 for RETURN");
            assertThat(charged.totals().overdrawn()).isEqualTo(2);
            charged.isAnswered(5, 0, 0);
            assertThat(charged.totals().overdrawn()).isZero();
            assertThat(unreported(charged)).isZero();
        }

        @Test
        void atOnceByCallsThatWaitedIsNotReportedAgain() {
            Timeline waited = holding(window(100), 0)
                    .needs(2)
                    .statements("needed 2 for CALLS_WAIT")
                    .isGranted(2, 0);
            assertThat(unreported(waited)).isZero();
            waited.statesNothing();
        }

        @Test
        void byCallsThatNeedOtherLimitsTooIsHeldUntilItIsKnown() {
            holding(window(100), 0)
                    .needsWithOthers(2)
                    .statements("needed 2 for CALLS_WAIT")
                    .isGranted(2, 0)
                    .inHand(2)
                    .needsNoMore()
                    .uses(2)
                    .statements("used 2 for RETURN");
        }

        @Test
        void atOnceByCallsThatHadGoneIsTakenBack() {
            holding(window(100), 0)
                    .needs(2)
                    .statements("needed 2 for CALLS_WAIT")
                    .needsNoMore()
                    .isGranted(2, 0)
                    .inHand(2)
                    .statements("used -2 for REFUND")
                    .inHand(0)
                    .isGranted(0, 0)
                    .statesNothing();
        }

        @Test
        void atOnceByCallsThatHadGoneIsTakenBackWithoutWhatOthersWaitFor() {
            holding(window(100), 0)
                    .needs(2)
                    .statements("needed 2 for CALLS_WAIT")
                    .needsNoMore()
                    .isGranted(2, 0)
                    .needs(3)
                    .statements("used -2, held 2, needed 3 for CALLS_WAIT")
                    .inHand(2);
        }

        @Test
        void comesOnTopOfWhatTheStoreHasRecordedAsHeldWhileItIsUnavailable() {
            Timeline unavailable =
                    holding(window(100), 10).uses(4).losesStore(OnFailure.LOCAL).inHand(96);
            assertThat(unavailable.account().books().unrecorded(unavailable.totals()))
                    .isZero();
            unavailable.uses(20);
            assertThat(unavailable.account().books().unrecorded(unavailable.totals()))
                    .isEqualTo(24 - 10);
        }
    }

    @Nested
    class WhatTheStoreHasLost {

        /** Two statements were applied, of four calls and of two. */
        private Timeline reported() {
            return holding(window(100), 10)
                    .uses(4)
                    .statements("used 4, held 6, wanted 6 for RETURN")
                    .isAnswered(10, 0, 0)
                    .uses(2)
                    .statements("used 2, held 4, wanted 12 for RETURN")
                    .isAnswered(10, 0, 0)
                    .at(900);
        }

        @Test
        void isReportedAgain() {
            reported().losesLastStatement(0).statements("used 2 for LOST");
            reported().isLost().statements("used 6 for LOST");
        }

        @Test
        void isReportedAgainWithWhatIsHeld() {
            reported().isLost().at(10).statements("used 6, held 4, wanted 12 for LOST");
        }

        @Test
        void isNothingIfNothingWasUsedAndWhatWasHeldIsReturned() {
            holding(window(100), 10).isLost().isDue(Why.LOST).statesNothing().inHand(0);
        }

        @Test
        void doesNotIncludeAStatementInFlight() {
            Timeline lost = reported().needs(1).statements("held 4, needed 1 for CALLS_WAIT");
            lost.isLost().isGranted(1, 0);
            assertThat(unreported(lost)).isEqualTo(6);
        }

        @Test
        void ofSlotsIsReportedAgain() {
            holding(slots(10), 4)
                    .uses(3)
                    .statements("occupied 3, held 1 for RETURN")
                    .isGranted(0, 0)
                    .isLost()
                    .statements("occupied 3, held 1 for LOST");
        }

        @Test
        void ofSlotsIsReportedAsTheyAreOccupiedNow() {
            holding(slots(10), 4)
                    .uses(3)
                    .statements("occupied 3, held 1 for RETURN")
                    .isGranted(0, 0)
                    .givesBack(1)
                    .isLost()
                    .at(900)
                    .statements("occupied 2, held 2 for LOST");
        }
    }

    @Nested
    class Slots {

        @Test
        void areReportedAsLongAsTheyAreOccupied() {
            holding(slots(10), 4)
                    .uses(3)
                    .statements("occupied 3, held 1 for RETURN")
                    .isGranted(0, 0)
                    .givesBack(2)
                    .at(900)
                    .ticks()
                    .at(1_700)
                    .statements("occupied 1 for RETURN");
        }

        @Test
        void thatWaitingCallsWereGrantedAreOccupied() {
            opened(slots(10))
                    .needs(1)
                    .statements("needed 1 for CALLS_WAIT")
                    .isGranted(1, 0)
                    .expect(account -> account.books().returnable(), 1);
        }

        @Test
        void areReportedEvenIfOnlyTheirNumberChanges() {
            Timeline charged = opened(slots(10))
                    .statements("nothing for RETURN")
                    .isGranted(0, 0)
                    .charges(1);
            charged.expect(account -> account.books().isAnythingUnreported(account.terms(), charged.totals()), true);
        }

        @Test
        void areTakenOverFromTheAccountBefore() {
            Timeline before = holding(slots(10), 4)
                    .uses(3)
                    .statements("occupied 3, held 1 for RETURN")
                    .isGranted(0, 0);
            Books taken = opened(slots(10))
                    .happens(new Event.TakeOver(before.account()))
                    .account()
                    .books();
            assertThat(taken.returnable()).isEqualTo(3);
            assertThat(taken.held()).isEqualTo(1);
        }

        @Test
        void areReportedByTheAccountThatTookOverEvenIfNoneIsInUse() {
            Timeline before = opened(slots(10)).statements("nothing for RETURN").isGranted(0, 0);
            opened(slots(10))
                    .statements("nothing for RETURN")
                    .isGranted(0, 0)
                    .happens(new Event.TakeOver(before.account()))
                    .statements("nothing for RETURN");
        }
    }
}
