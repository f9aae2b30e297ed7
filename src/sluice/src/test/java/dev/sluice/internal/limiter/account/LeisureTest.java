package dev.sluice.internal.limiter.account;

import static dev.sluice.internal.limiter.account.Timeline.SLACK;
import static dev.sluice.internal.limiter.account.Timeline.STRICT;
import static dev.sluice.internal.limiter.account.Timeline.USUAL;
import static dev.sluice.internal.limiter.account.Timeline.moment;
import static dev.sluice.internal.limiter.account.Timeline.opened;
import static dev.sluice.internal.limiter.account.Timeline.terms;
import static dev.sluice.internal.limiter.account.Timeline.window;
import static dev.sluice.internal.limiter.simulation.CallPattern.bucket;
import static dev.sluice.internal.limiter.simulation.CallPattern.slots;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.limiter.account.Outstanding.Why;
import dev.sluice.internal.limiter.shared.SharedSnapshot;
import dev.sluice.tier.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** An interval has a second, and a lease five. */
class LeisureTest {

    private static final Terms TERMS = terms(window(60), USUAL);

    /** The first call of a new account waits at 0, and is granted. */
    private static Timeline calledOnce(Limit limit) {
        return opened(limit)
                .needs(1)
                .isChecked()
                .statements("needed 1 for CALLS_WAIT")
                .isGranted(1, 0);
    }

    /** Two calls waited, two seconds apart: the second one has earned a permit. */
    private static Timeline calledTwice(Limit limit) {
        return calledOnce(limit)
                .at(2_000)
                .ticks()
                .needs(1)
                .isChecked()
                .statements("needed 1, wanted 1 for CALLS_WAIT")
                .isAnswered(3, 2, 0);
    }

    @Nested
    class ACallerWhoComesAgain {

        @Test
        void earnsOnePermitWhichIsInHandForTheNextCall() {
            calledTwice(window(60)).inHand(1).at(4_000).uses(1).isChecked().isDue(Why.LOW);
        }

        @Test
        void earnsTheNextOneWhenTheLastIsUsed() {
            calledTwice(window(60))
                    .at(4_000)
                    .uses(1)
                    .isChecked()
                    .statements("used 1, wanted 1 for LOW")
                    .isAnswered(4, 1, 0)
                    .inHand(1);
        }

        @Test
        void earnsItFromABucketTooHoweverOldThatIs() {
            calledTwice(bucket(60, "PT60S", 60)).inHand(1);
        }

        @Test
        void earnsNoneOnceTheLeaseIsNearlyOver() {
            calledOnce(window(60)).at(4_249).needs(1).isChecked().statements("needed 1, wanted 1 for CALLS_WAIT");
            calledOnce(window(60)).at(4_250).needs(1).isChecked().statements("needed 1 for CALLS_WAIT");
        }

        @Test
        void earnsOneHoweverSoonItComes() {
            calledOnce(window(60)).at(10).needs(1).isChecked().statements("needed 1, wanted 1 for CALLS_WAIT");
        }

        @Test
        void earnsNoneIfOneWouldNotDo() {
            calledOnce(window(60)).at(2_000).needs(2).isChecked().statements("needed 2 for CALLS_WAIT");
        }

        @Test
        void earnsNoneOfALimitThatIsDecidedCallByCall() {
            opened(window(60), STRICT)
                    .needs(1)
                    .statements("needed 1 for CALLS_WAIT")
                    .isGranted(1, 0)
                    .at(2_000)
                    .needs(1)
                    .statements("needed 1 for CALLS_WAIT");
        }

        @Test
        void needsNoneWhileThereIsSlack() {
            opened(window(100), SLACK)
                    .uses(1)
                    .isChecked()
                    .statements("used 1 for RETURN")
                    .isGranted(0, 0)
                    .at(2_000)
                    .uses(1)
                    .isChecked()
                    .statements("used 1 for RETURN");
        }

        @Test
        void earnsNoneOfAWindowThatIsOverBeforeTheNextCall() {
            Timeline atTheEnd = calledOnce(window(60))
                    .at(596_000)
                    .needs(1)
                    .statements("needed 1 for CALLS_WAIT")
                    .isAnswered(2, 1, 0);
            atTheEnd.at(598_000).needs(1).statements("needed 1 for CALLS_WAIT");
        }

        @Test
        void earnsOneOfAWindowThatEndsAfterTheNextCall() {
            opened(window(60))
                    .at(592_000)
                    .needs(1)
                    .isChecked()
                    .statements("needed 1 for CALLS_WAIT")
                    .isGranted(1, 0)
                    .at(594_000)
                    .ticks()
                    .needs(1)
                    .isChecked()
                    .statements("needed 1, wanted 1 for CALLS_WAIT")
                    .isAnswered(3, 2, 0)
                    .at(596_000)
                    .uses(1)
                    .isChecked()
                    .statements("used 1, wanted 1 for LOW");
        }

        @Test
        void getsAShareOnceTheCallsOfAnIntervalAreThree() {
            calledOnce(window(60))
                    .at(250)
                    .ticks()
                    .needs(1)
                    .isChecked()
                    .statements("needed 1, wanted 1 for CALLS_WAIT")
                    .isAnswered(2, 1, 0)
                    .isChecked()
                    .nothingIsDue()
                    .at(500)
                    .ticks()
                    .needs(1)
                    .isChecked()
                    .statements("needed 1, wanted 1 for CALLS_WAIT")
                    .isAnswered(3, 1, 0)
                    .isChecked()
                    .isDue(Why.LOW);
        }

        @Test
        void earnsNoneOfWindowsAsShortAsALease() {
            calledOnce(new Limit.FixedWindow(60, Duration.ofSeconds(5)))
                    .at(1_000)
                    .needs(1)
                    .statements("needed 1 for CALLS_WAIT");
        }

        @Test
        void earnsNoSlots() {
            opened(slots(5))
                    .needs(1)
                    .statements("needed 1 for CALLS_WAIT")
                    .isGranted(1, 0)
                    .givesBack(1)
                    .at(2_000)
                    .statements("nothing for RETURN");
        }

        @Test
        void asksOnceForEachPermit() {
            calledOnce(window(60))
                    .at(2_000)
                    .needs(1)
                    .isChecked()
                    .statements("needed 1, wanted 1 for CALLS_WAIT")
                    .isAnswered(60, 1, 0)
                    .tells(SharedSnapshot::lowWater, 0L)
                    .isChecked()
                    .nothingIsDue();
            calledOnce(window(60))
                    .at(2_000)
                    .needs(1)
                    .isChecked()
                    .statements("needed 1, wanted 1 for CALLS_WAIT")
                    .isAnswered(59, 1, 0) // the last permit is not granted ahead
                    .tells(SharedSnapshot::lowWater, 1L)
                    .isChecked()
                    .nothingIsDue();
        }
    }

    @Nested
    class ThePermit {

        @Test
        void isKeptUntilTheLeaseIsNearlyOverAndThenReturned() {
            calledTwice(window(60))
                    .at(6_249)
                    .ticks()
                    .nothingIsDue()
                    .inHand(1)
                    .at(6_250)
                    .ticks()
                    .statements("nothing for RETURN")
                    .inHand(0);
        }

        @Test
        void isNotReturnedWithAStatementThatIsMadeMeanwhile() {
            calledTwice(window(60)).at(3_000).statements("held 1 for RETURN").inHand(1);
        }

        @Test
        void leavesTheAccountIdleOnceItIsReturned() {
            calledTwice(window(60))
                    .at(6_000)
                    .isQuiet(false)
                    .at(6_250)
                    .ticks()
                    .statements("nothing for RETURN")
                    .isAnswered(2, 0, 0)
                    .isQuiet(true);
        }

        @Test
        void isReturnedAtOnceIfItIsNeededElsewhere() {
            calledTwice(window(60))
                    .at(3_000)
                    .hearsRecalled()
                    .at(3_001)
                    .statements("nothing for RECALLED")
                    .inHand(0);
        }

        @Test
        void isNotKeptBesideAShareThatABurstHasLeft() {
            calledTwice(window(60))
                    .at(4_000)
                    .uses(1)
                    .statements("used 1, wanted 1 for RETURN")
                    .isAnswered(10, 7, 0)
                    .at(4_100)
                    .uses(6)
                    .ticks()
                    .at(4_840)
                    .ticks()
                    .statements("used 6 for RETURN")
                    .inHand(0);
        }
    }

    @Nested
    class TheChance {

        private Pace called(Pace pace, long millis) {
            Totals totals = new Totals(pace.usedSeen() + 1, 0, 0, 0, false, false, false, false, 1);
            return pace.updated(TERMS, totals, false, moment(millis));
        }

        private Pace after(long... pauses) {
            Pace pace = Pace.opened(null, moment(0));
            long now = 0;
            for (long pause : pauses) {
                now += pause;
                pace = called(pace, now);
            }
            return pace;
        }

        private boolean expectsOne(long... pauses) {
            long last = 0;
            for (long pause : pauses) {
                last += pause;
            }
            return after(pauses).expectsOne(TERMS, true, moment(last + 1_000));
        }

        @Test
        void survivesOnePause() {
            assertThat(expectsOne(0, 2_000, 2_000, 60_000)).isTrue();
            assertThat(expectsOne(0, 60_000)).isTrue();
        }

        @Test
        void isLostByRareCallers() {
            assertThat(expectsOne(0, 60_000, 60_000)).isFalse();
            assertThat(expectsOne(0, 2_000, 60_000, 60_000)).isFalse();
            assertThat(expectsOne(0, 60_000, 60_000, 2_000)).isFalse();
            assertThat(expectsOne(0, 60_000, 60_000, 2_000, 2_000)).isTrue();
        }

        @Test
        void isDeniedToCallersOfOtherInstancesUntilFiveCallsInTime() {
            Pace elsewhere = after(0).calledElsewhere(TERMS, moment(10_000));
            elsewhere = called(elsewhere, 10_000);
            for (int again = 1; again <= 5; again++) {
                assertThat(elsewhere.expectsOne(TERMS, true, moment(9_000 + 2_000 * again)))
                        .isFalse();
                elsewhere = called(elsewhere, 10_000 + 2_000 * again);
            }
            assertThat(elsewhere.expectsOne(TERMS, true, moment(21_000))).isTrue();
        }

        @Test
        void staysForCallersOfOtherInstancesWhoAreInTime() {
            Pace inTime = after(0, 2_000);
            assertThat(inTime.calledElsewhere(TERMS, moment(4_000))).isSameAs(inTime);
        }

        @Test
        void isNoneIfOthersHadCalledBeforeTheFirstAnswer() {
            opened(window(60))
                    .needs(1)
                    .statements("needed 1 for CALLS_WAIT")
                    .isAnswered(8, 1, 0)
                    .at(2_000)
                    .needs(1)
                    .statements("needed 1 for CALLS_WAIT");
        }

        @Test
        void isNoneIfOthersHaveCalledDuringALongPause() {
            calledTwice(window(60))
                    .at(6_250)
                    .ticks()
                    .statements("nothing for RETURN")
                    .isAnswered(2, 0, 0)
                    .at(10_000)
                    .needs(1)
                    .statements("needed 1 for CALLS_WAIT")
                    .isAnswered(4, 1, 0)
                    .at(12_000)
                    .needs(1)
                    .statements("needed 1 for CALLS_WAIT");
        }

        @Test
        void staysIfNobodyHasCalledDuringALongPause() {
            calledTwice(window(60))
                    .at(6_250)
                    .ticks()
                    .statements("nothing for RETURN")
                    .isAnswered(2, 0, 0)
                    .at(10_000)
                    .needs(1)
                    .statements("needed 1 for CALLS_WAIT")
                    .isAnswered(3, 1, 0)
                    .at(12_000)
                    .needs(1)
                    .statements("needed 1, wanted 1 for CALLS_WAIT");
        }

        @Test
        void goesOnInTheNextWindow() {
            Pace before = calledTwice(window(60)).account().pace();
            Pace next = Pace.opened(before, moment(3_000));
            assertThat(next.share(TERMS, new Totals(0, 0, 0, 0, false, false, true, false, 1), true, moment(4_000)))
                    .isEqualTo(1);
        }
    }
}
