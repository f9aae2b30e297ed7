package dev.sluice.internal.limiter.account;

import static dev.sluice.internal.limiter.account.Timeline.holding;
import static dev.sluice.internal.limiter.account.Timeline.opened;
import static dev.sluice.internal.limiter.account.Timeline.window;
import static dev.sluice.internal.limiter.simulation.CallPattern.slots;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.exchange.Batch.Rule;
import dev.sluice.internal.limiter.account.Outstanding.Why;
import dev.sluice.internal.limiter.account.Waits.Here;
import dev.sluice.limits.SharingOptions.OnFailure;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class WaitsTest {

    private static Timeline waitingSince(long millis) {
        return holding(window(100), 0).at(millis).needs(2).isChecked();
    }

    private static Timeline recalledAt(long millis) {
        return waitingSince(millis).statements("needed 2 for CALLS_WAIT").isAnswered(100, 0, 5);
    }

    private static Here here(Account account) {
        return account.waiting().here();
    }

    private static long sinceMillis(Account account) {
        return account.waiting().sinceNanos() / 1_000_000;
    }

    /** When the store first said that others hold what is needed; 0 if it has not. */
    private static long othersHoldSinceMillis(Account account) {
        long recalled = account.waiting().othersHoldSinceMillis();
        return recalled == 0 ? 0 : recalled - Timeline.START;
    }

    @Nested
    class CallsThatWaitHere {

        @Test
        void areUnaskedUntilTheStoreAnswersForThem() {
            holding(window(100), 0).expect(WaitsTest::here, Here.NOBODY);
            waitingSince(100).expect(WaitsTest::here, Here.UNANSWERED);
            waitingSince(100).statements("needed 2 for CALLS_WAIT").expect(WaitsTest::here, Here.UNANSWERED);
            recalledAt(100).expect(WaitsTest::here, Here.OTHERS_HOLD);
        }

        @Test
        void areCalmOnceTheyAreGrantedWhatTheyNeed() {
            waitingSince(100)
                    .statements("needed 2 for CALLS_WAIT")
                    .isAnswered(2, 2, 0)
                    .expect(WaitsTest::here, Here.NOBODY)
                    .nothingIsDue();
        }

        @Test
        void areCalmOnceTheyAreRefused() {
            waitingSince(100)
                    .statements("needed 2 for CALLS_WAIT")
                    .isAnswered(100, 0, 0)
                    .expect(WaitsTest::here, Here.NOBODY)
                    .nothingIsDue();
        }

        @Test
        void areUnaskedAgainOnceNobodyElseHoldsWhatTheyNeed() {
            recalledAt(100)
                    .hearsFreed()
                    .statements("needed 2 for CALLS_WAIT")
                    .hearsFreed()
                    .isAnswered(100, 0, 0)
                    .expect(WaitsTest::here, Here.UNANSWERED);
        }

        @Test
        void areAskedForAgainAfterOneTwoFiveAndTenMilliseconds() {
            Timeline waiting = recalledAt(100).isDueAt(101, Why.CALLS_WAIT);
            for (long pause : new long[] {2, 5, 10, 10}) {
                waiting.at(200)
                        .statements("needed 2 for CALLS_WAIT")
                        .isAnswered(100, 0, 5)
                        .isDueAt(200 + pause, Why.CALLS_WAIT);
            }
        }

        @Test
        void areAskedForAtOnceWhenSomethingIsFreed() {
            recalledAt(100).isDueAt(101, Why.CALLS_WAIT).hearsFreed().isDueAt(100, Why.CALLS_WAIT);
        }

        @Test
        void rememberWhenTheStoreFirstSaidThatOthersHoldSome() {
            waitingSince(100)
                    .expect(WaitsTest::othersHoldSinceMillis, 0L)
                    .statements("needed 2 for CALLS_WAIT")
                    .at(101)
                    .isAnswered(100, 0, 5)
                    .expect(WaitsTest::othersHoldSinceMillis, 101L)
                    .statements("needed 2 for CALLS_WAIT")
                    .at(105)
                    .isAnswered(100, 0, 5)
                    .expect(WaitsTest::othersHoldSinceMillis, 101L)
                    .statements("needed 2 for CALLS_WAIT")
                    .hearsFreed()
                    .isAnswered(99, 0, 0)
                    .expect(WaitsTest::othersHoldSinceMillis, 0L);
        }

        @Test
        void tellTheStoreForWhichSlotsTheyWait() {
            Timeline waiting = opened(slots(5)).needs(1).statements("needed 1 for CALLS_WAIT");
            waiting.expect(Account::haveOthersReportedSlots, false);
            waiting.at(3).isAnswered(5, 0, 2).expect(Account::haveOthersReportedSlots, true);
            waiting.at(9).statements("needed 1 for CALLS_WAIT");
            assertThat(waiting.made().statement().rule())
                    .isEqualTo(new Rule.Slots(5, 0, Timeline.START + 3, Timeline.START + 9));
            recalledAt(100).expect(Account::haveOthersReportedSlots, false);
        }

        @Test
        void waitOnIfNothingWasGranted() {
            recalledAt(100)
                    .statements("needed 2 for CALLS_WAIT")
                    .at(150)
                    .isAnswered(100, 0, 5)
                    .expect(WaitsTest::sinceMillis, 100L);
        }

        @Test
        void waitAgainOnceSomethingWasGranted() {
            recalledAt(100)
                    .statements("needed 2 for CALLS_WAIT")
                    .at(140)
                    .isAnswered(100, 1, 4)
                    .expect(WaitsTest::sinceMillis, 140L)
                    .at(145)
                    .isChecked()
                    .expect(WaitsTest::sinceMillis, 140L);
        }

        @Test
        void waitSinceTheFirstOfThemBegan() {
            Timeline waiting = waitingSince(100).at(180).needs(3).isChecked().expect(WaitsTest::sinceMillis, 100L);
            assertThat(waiting.account().waiting().isWaitingSince(100_000_000)).isTrue();
            assertThat(waiting.account().waiting().isWaitingSince(99_999_999)).isFalse();
        }

        @Test
        void waitAgainAfterAPauseWithoutWaitingCalls() {
            waitingSince(100)
                    .needsNoMore()
                    .happens(new Event.Serve())
                    .expect(WaitsTest::here, Here.NOBODY)
                    .nothingIsDue()
                    .at(500)
                    .needs(1)
                    .isChecked()
                    .expect(WaitsTest::sinceMillis, 500L);
        }

        @Test
        void areCalmOnceAStatementFindsNoWaitingCalls() {
            waitingSince(100).needsNoMore().statesNothing().expect(WaitsTest::here, Here.NOBODY);
        }

        @Test
        void areGivenUpWhenHoldersAreUnresponsiveAndTheStoreIsAskedOnceMore() {
            recalledAt(100)
                    .at(150)
                    .endsWaits(OnFailure.LOCAL)
                    .expect(WaitsTest::here, Here.NOBODY)
                    .expect(WaitsTest::othersHoldSinceMillis, 0L)
                    .isDueAt(150, Why.CALLS_WAIT);
        }

        @Test
        void areGivenUpWhenTheStoreDoesNotAnswer() {
            waitingSince(100)
                    .at(150)
                    .endsWaits(OnFailure.LOCAL)
                    .expect(WaitsTest::here, Here.NOBODY)
                    .nothingIsDue();
        }

        @Test
        void areNotRecalledForOnceTheyWereGivenUp() {
            Waits calm = Waits.NONE.noteReply(true, 0, 0, Timeline.moment(9));
            assertThat(calm.here()).isEqualTo(Here.NOBODY);
            assertThat(calm.othersHoldSinceMillis()).isZero();
        }

        @Test
        void pauseAMillisecondAgainAfterTheyWereGivenUp() {
            Timeline waiting =
                    recalledAt(100).statements("needed 2 for CALLS_WAIT").isAnswered(100, 0, 5);
            waiting.at(150).endsWaits(OnFailure.LOCAL).needs(2);
            waiting.at(200).isChecked().statements("needed 2 for CALLS_WAIT").isAnswered(100, 0, 5);
            waiting.isDueAt(201, Why.CALLS_WAIT);
        }
    }

    @Nested
    class CallsThatWaitElsewhere {

        @Test
        void getWhatIsHeldAtOnce() {
            holding(window(100), 5)
                    .at(100)
                    .hearsRecalled()
                    .isDueAt(100, Why.RECALLED)
                    .statements("nothing for RECALLED")
                    .inHand(0)
                    .isGranted(0, 0)
                    .nothingIsDue();
        }

        /** Otherwise a store that rejects all would be asked in a loop. */
        @Test
        void areLeftAloneForATimeIfTheStoreDoesNotApplyIt() {
            holding(window(100), 5)
                    .at(100)
                    .hearsRecalled()
                    .statements("nothing for RECALLED")
                    .at(101)
                    .isGivenUp()
                    .isDueAt(151, Why.RECALLED);
        }

        @Test
        void getWhatCallsHereLeave() {
            holding(window(100), 5)
                    .at(100)
                    .uses(3)
                    .hearsRecalled()
                    .statements("used 3 for RECALLED")
                    .inHand(0);
        }

        @Test
        void getNothingFromAnInstanceThatHoldsNothing() {
            holding(window(100), 0).at(100).hearsRecalled().nothingIsDue();
            holding(window(100), 0)
                    .at(100)
                    .hearsRecalled()
                    .expect(account -> account.waiting().isRecalled(), false);
        }

        @Test
        void getSlotsThatCallsOccupyOnceTheyAreFree() {
            holding(slots(5), 1)
                    .uses(1)
                    .statements("occupied 1, wanted 1 for RETURN")
                    .isGranted(0, 0)
                    .at(100)
                    .hearsRecalled()
                    .statements("occupied 1 for RECALLED");
        }

        @Test
        void getAnAnswerEvenIfNothingIsLeftToReturn() {
            holding(window(100), 5)
                    .uses(5)
                    .statements("used 5, wanted 14 for RETURN")
                    .hearsRecalled()
                    .isAnswered(5, 0, 0)
                    .statements("nothing for RECALLED");
        }

        @Test
        void getWhatIsGrantedToAStatementThatWasInFlight() {
            opened(window(100))
                    .statements("nothing for RETURN")
                    .at(100)
                    .hearsRecalled()
                    .isGranted(1, 0)
                    .isDueAt(100, Why.RECALLED)
                    .statements("nothing for RECALLED")
                    .inHand(0);
        }

        @Test
        void areServedOnceByAStatementThatWasMadeSince() {
            holding(window(100), 5)
                    .hearsRecalled()
                    .statements("nothing for RECALLED")
                    .isGranted(0, 0)
                    .expect(account -> account.waiting().isRecalled(), false);
        }

        @Test
        void doNotWaitForCallsHereThatHaveTakenWhatTheyWereGranted() {
            holding(window(100), 0)
                    .at(100)
                    .needs(1)
                    .statements("needed 1 for CALLS_WAIT")
                    .isGranted(1, 0)
                    .hearsRecalled()
                    .nothingIsDue();
            holding(window(100), 1)
                    .at(100)
                    .needs(2)
                    .statements("held 1, needed 2 for CALLS_WAIT")
                    .isGranted(2, 0)
                    .hearsRecalled()
                    .isDueAt(100, Why.RECALLED);
        }

        private Timeline busyAndRecalledAt100() {
            return holding(window(10_000), 200)
                    .at(100)
                    .uses(100)
                    .hearsRecalled()
                    .statements("used 100 for RECALLED")
                    .isGranted(0, 0)
                    .at(600)
                    .needs(1)
                    .statements("needed 1 for CALLS_WAIT")
                    .isGranted(1, 0);
        }

        @Test
        void keepThisInstanceFromTakingAheadForAnInterval() {
            busyAndRecalledAt100().at(1_099).needs(1).statements("needed 1 for CALLS_WAIT");
            busyAndRecalledAt100().at(1_100).needs(1).statements("needed 1, wanted 130 for CALLS_WAIT");
        }
    }
}
