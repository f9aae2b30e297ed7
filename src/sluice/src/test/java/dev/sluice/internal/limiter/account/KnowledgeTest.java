package dev.sluice.internal.limiter.account;

import static dev.sluice.internal.limiter.account.Timeline.SLACK;
import static dev.sluice.internal.limiter.account.Timeline.START;
import static dev.sluice.internal.limiter.account.Timeline.STRICT;
import static dev.sluice.internal.limiter.account.Timeline.holding;
import static dev.sluice.internal.limiter.account.Timeline.opened;
import static dev.sluice.internal.limiter.account.Timeline.window;
import static dev.sluice.internal.limiter.simulation.CallPattern.bucket;
import static dev.sluice.internal.limiter.simulation.CallPattern.log;
import static dev.sluice.internal.limiter.simulation.CallPattern.slots;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.TestLimits;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.internal.limiter.account.Outstanding.Why;
import dev.sluice.internal.limiter.rule.Outage;
import dev.sluice.internal.limiter.shared.SharedSnapshot;
import dev.sluice.internal.limiter.shared.SharedSnapshot.Mode;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class KnowledgeTest {

    /** One call waits, and the store has been asked for it. */
    private static Timeline asking(Limit limit) {
        return opened(limit).needs(1).statements("needed 1 for CALLS_WAIT");
    }

    private static Timeline usedUp(Limit limit, long total) {
        return asking(limit).isAnswered(total, 0, 0);
    }

    private static long elsewhere(SharedSnapshot snapshot) {
        return snapshot.outlook().elsewhere();
    }

    private static long retryAtMillis(SharedSnapshot snapshot) {
        return snapshot.outlook().retryAtMillis();
    }

    private static long left(SharedSnapshot known) {
        return known.usage().left(START);
    }

    @Nested
    class BeforeAndAfterTheFirstAnswer {

        @Test
        void nothingIsKnownButTheLimit() {
            opened(window(100)).tells(SharedSnapshot::mode, Mode.NEW).tells(KnowledgeTest::left, 100L);
        }

        @Test
        void anAnswerSaysWhatIsLeftAndWhatOthersHold() {
            asking(window(100))
                    .isAnswered(40, 1, 7)
                    .tells(SharedSnapshot::mode, Mode.SHARED)
                    .tells(KnowledgeTest::left, 60L)
                    .tells(KnowledgeTest::elsewhere, 7L);
        }

        @Test
        void slotsAndStrictPermitsOfOthersAreInUse() {
            asking(slots(100)).isAnswered(40, 1, 7).tells(KnowledgeTest::elsewhere, 0L);
            opened(window(100), STRICT)
                    .needs(1)
                    .statements("needed 1 for CALLS_WAIT")
                    .isAnswered(40, 1, 7)
                    .tells(KnowledgeTest::elsewhere, 0L);
        }
    }

    @Nested
    class ALimitIsUsedUp {

        @Test
        void onceACallIsGrantedNothingAndNobodyHoldsAny() {
            usedUp(window(100), 100).isUsedUp();
        }

        @Test
        void notWhileOthersHoldWhatItNeeds() {
            asking(window(100)).isAnswered(100, 0, 1).isNotUsedUp();
        }

        @Test
        void notOnceACallIsGrantedWhatItNeeds() {
            asking(window(100)).isAnswered(99, 1, 0).isNotUsedUp();
        }

        @Test
        void onceTheLastPermitIsGranted() {
            asking(window(100)).isAnswered(100, 1, 0).isUsedUp();
        }

        @Test
        void notOnceAReportFindsNothingLeftSinceTheStoreDoesNotSayWhatOthersHold() {
            holding(window(100), 1)
                    .uses(1)
                    .statements("used 1 for RETURN")
                    .isAnswered(100, 0, 0)
                    .isNotUsedUp();
        }

        @Test
        void onceNothingIsLeftForAStatementThatSaysWhatIsWantedOrHeld() {
            holding(window(100), 10)
                    .uses(10)
                    .statements("used 10, wanted 23 for RETURN")
                    .isAnswered(100, 0, 0)
                    .isUsedUp();
            holding(window(10_000), 30)
                    .at(300)
                    .uses(4)
                    .statements("used 4, held 12 for RETURN")
                    .isAnswered(10_000, 0, 0)
                    .isUsedUp();
        }

        @Test
        void stillOnceAReportFindsNothingLeft() {
            usedUp(window(100), 100)
                    .at(300)
                    .charges(1)
                    .statements("used 1 for RETURN")
                    .isAnswered(101, 0, 0)
                    .isUsedUp();
        }

        @Test
        void notForLongIfSomethingIsLeftButTooLittle() {
            opened(window(100))
                    .needs(9)
                    .statements("needed 9 for CALLS_WAIT")
                    .isAnswered(98, 0, 0)
                    .isUsedUpUntil(50);
        }

        @Test
        void notIfSomethingCameBackWhileTheStoreWasAsked() {
            asking(window(100)).hearsFreed().isAnswered(100, 0, 0).isNotUsedUp();
        }

        @Test
        void afterTheNextAnswerIfSomethingCameBackMeanwhileAndIsGone() {
            asking(window(100))
                    .hearsFreed()
                    .isAnswered(100, 0, 0)
                    .statements("needed 1 for CALLS_WAIT")
                    .isAnswered(100, 0, 0)
                    .isUsedUp();
        }

        @Test
        void noLongerOnceSomethingIsFreed() {
            usedUp(window(100), 100).hearsFreed().isNotUsedUp();
        }

        @Test
        void noLongerOnceAnAnswerSaysSo() {
            usedUp(window(100), 100)
                    .at(2_000)
                    .ticks()
                    .statements("nothing for USED_UP")
                    .isAnswered(99, 0, 0)
                    .isNotUsedUp();
        }

        @Test
        void noLongerWhileItsOwnPermitsAreReturned() {
            opened(window(100))
                    .needsWithOthers(2)
                    .statements("needed 2 for CALLS_WAIT")
                    .needsNoMore()
                    .isAnswered(100, 2, 0)
                    .isUsedUp()
                    .at(900)
                    .ticks()
                    .statements("nothing for RETURN")
                    .isNotUsedUp()
                    .isAnswered(98, 0, 0)
                    .isNotUsedUp();
        }

        @Test
        void untilTheOldestCallOfALogIsAPeriodOld() {
            asking(log(5, "PT10S"))
                    .isAnswered(new Grant(5, 0, 0, List.of(START - 4_000)))
                    .isUsedUpUntil(6_000);
        }

        @Test
        void neverForSlotsSinceOneMayBeFreedAtAnyMoment() {
            asking(slots(100)).isAnswered(100, 0, 0).isNotUsedUp();
        }

        @Test
        void alsoIfABucketIsEmptyUntilTokensFlowIn() {
            asking(bucket(100, "PT10S", 5)).isAnswered(Long.MAX_VALUE / 2, 0, 0).isUsedUp();
        }
    }

    @Nested
    class HoldersDoNotReturnWhatCallsNeed {

        private Timeline refused() {
            return asking(window(100)).isAnswered(100, 0, 5).at(50).endsWaits(OnFailure.LOCAL);
        }

        @Test
        void thenCallsAreRefusedForAQuarterOfAnInterval() {
            refused().isUsedUpUntil(300).tells(KnowledgeTest::elsewhere, 0L);
        }

        @Test
        void thenTheyMayRetryWhenTheLeaseHasEnded() {
            refused().tells(KnowledgeTest::retryAtMillis, START + 50 + 5_000);
        }

        @Test
        void thenTheNextAnswerKnowsBetter() {
            refused()
                    .needsNoMore()
                    .isDue(Why.CALLS_WAIT)
                    .charges(1)
                    .statements("used 1 for CALLS_WAIT")
                    .isAnswered(90, 0, 0)
                    .isNotUsedUp()
                    .tells(KnowledgeTest::retryAtMillis, Long.MAX_VALUE);
        }
    }

    @Nested
    class AUsedUpLimitIsAskedForAgain {

        /** The pauses between the statements, if the store always says that it is used up. */
        private List<Long> pauses(Timeline usedUp, int questions) {
            List<Long> pauses = new ArrayList<>();
            long asked = 0;
            for (long time = 250; pauses.size() < questions; time += 250) {
                usedUp.at(time).endsInterval();
                if (usedUp.account().due() != null) {
                    usedUp.statements("nothing for USED_UP")
                            .isAnswered(100, 0, 0)
                            .isUsedUp();
                    pauses.add(time - asked);
                    asked = time;
                }
            }
            return pauses;
        }

        @Test
        void afterTwoThenEightThenSixteenIntervals() {
            assertThat(pauses(usedUp(window(100), 100), 4)).containsExactly(2_000L, 8_000L, 16_000L, 16_000L);
        }

        @Test
        void soonAgainOnceSomethingWasLeftMeanwhile() {
            Timeline used = usedUp(window(100), 100);
            pauses(used, 3);
            used.at(30_000)
                    .hearsFreed()
                    .needs(1)
                    .isChecked()
                    .statements("needed 1 for CALLS_WAIT")
                    .isAnswered(99, 1, 0);
            used.needs(1)
                    .isChecked()
                    .statements("needed 1 for CALLS_WAIT")
                    .isAnswered(100, 0, 0)
                    .isUsedUp();
            used.at(31_999).ticks().nothingIsDue().at(32_000).ticks().isDue(Why.USED_UP);
        }

        @Test
        void onceWhileTheAnswerIsInFlight() {
            usedUp(window(100), 100)
                    .at(2_000)
                    .ticks()
                    .statements("nothing for USED_UP")
                    .at(2_250)
                    .ticks()
                    .isAnswered(100, 0, 0)
                    .nothingIsDue()
                    .at(10_249)
                    .ticks()
                    .nothingIsDue()
                    .at(10_250)
                    .ticks()
                    .isDue(Why.USED_UP);
        }

        @Test
        void notWhileItCannotBeAsked() {
            usedUp(window(100), 100)
                    .losesStore(OnFailure.LOCAL)
                    .at(2_000)
                    .ticks()
                    .nothingIsDue();
        }

        @Test
        void notOnceItIsOverAnyway() {
            asking(log(5, "PT1S"))
                    .isAnswered(new Grant(5, 0, 0, List.of(START)))
                    .isUsedUpUntil(1_000)
                    .at(2_000)
                    .ticks()
                    .nothingIsDue();
            asking(log(5, "PT2S"))
                    .isAnswered(new Grant(5, 0, 0, List.of(START)))
                    .isUsedUpUntil(2_000)
                    .at(2_000)
                    .ticks()
                    .nothingIsDue();
        }
    }

    @Nested
    class Slack {

        @ParameterizedTest
        @CsvSource({"600, 10", "599, 10", "601, 9", "960, 1", "961, 0", "1000, 0", "1200, 0"})
        void isAtMostAFortiethOfWhatIsLeft(long total, long slack) {
            opened(window(1_000), new Sync(Timeline.USUAL.every(), 0.01, false))
                    .statements("nothing for RETURN")
                    .isAnswered(total, 0, 0)
                    .inHand(slack)
                    .tells(SharedSnapshot::ungranted, slack);
        }

        @Test
        void isAllThatIsAllowedBeforeAnAnswer() {
            opened(window(100), SLACK)
                    .inHand(10)
                    .expect(all -> all.known().slack(all.terms(), all.books().ungranted(), 1, Timeline.moment(0)), 10L);
        }
    }

    @Nested
    class WhileTheStoreIsUnavailable {

        @ParameterizedTest
        @CsvSource({"LOCAL, WITHOUT_STORE, 60", "ALLOW, WITHOUT_STORE, " + Limit.MAX_THRESHOLD, "DENY, DENYING, 0"})
        void thePolicySaysHowCallsAreDecidedAndHowManyPass(OnFailure policy, Mode state, long allowed) {
            asking(window(100))
                    .needsNoMore()
                    .isAnswered(40, 0, 5)
                    .losesStore(policy)
                    .tells(SharedSnapshot::mode, state)
                    .tells(SharedSnapshot::ungranted, allowed)
                    .inHand(allowed);
        }

        @Test
        void itIsSharedAgainOnceTheStoreAnswers() {
            holding(window(100), 5)
                    .losesStore(OnFailure.LOCAL)
                    .inHand(100)
                    .findsStore()
                    .tells(SharedSnapshot::mode, Mode.SHARED)
                    .inHand(5);
        }

        @Test
        void isNewAgainIfTheStoreHadNeverAnswered() {
            opened(window(100))
                    .losesStore(OnFailure.LOCAL)
                    .findsStore()
                    .tells(SharedSnapshot::mode, Mode.NEW)
                    .inHand(0);
        }

        @Test
        void anAnswerEndsIt() {
            holding(window(100), 5)
                    .losesStore(OnFailure.DENY)
                    .uses(1)
                    .statements("used 1 for RETURN")
                    .isGranted(0, 0)
                    .tells(SharedSnapshot::mode, Mode.SHARED);
        }

        @Test
        void whatIsUsedStaysUsedOnceTheStoreAnswers() {
            holding(window(100), 5)
                    .losesStore(OnFailure.LOCAL)
                    .uses(60)
                    .findsStore()
                    .inHand(0)
                    .statements("used 60, wanted 91 for RETURN");
        }

        @Test
        void whatIsUsedOfAWindowIsNotAllowedAgain() {
            holding(window(100), 5)
                    .losesStore(OnFailure.LOCAL)
                    .uses(60)
                    .losesStore(OnFailure.LOCAL)
                    .inHand(40);
        }

        @Test
        void whatIsUsedOfABucketFlowsBack() {
            opened(bucket(10, "PT10S", 10))
                    .losesStore(OnFailure.LOCAL)
                    .inHand(10)
                    .uses(10)
                    .at(10)
                    .losesStore(OnFailure.LOCAL)
                    .inHand(0)
                    .tells(SharedSnapshot::ungranted, 0L)
                    .at(3_010)
                    .losesStore(OnFailure.LOCAL)
                    .inHand(3)
                    .uses(3)
                    .losesStore(OnFailure.LOCAL)
                    .inHand(0)
                    .at(5_010)
                    .losesStore(OnFailure.LOCAL)
                    .inHand(2);
        }

        @Test
        void allowsOnlyWhatWaitingCallsNeed() {
            Timeline waiting = holding(window(100), 5).uses(5).needs(3);
            assertThat(waiting.allowedWithoutStore(3)).isEqualTo(3);
            assertThat(waiting.allowedWithoutStore(96)).isEqualTo(95);
            waiting.charges(4);
            assertThat(waiting.allowedWithoutStore(3)).as("beside what is used").isEqualTo(4 + 3);
            assertThat(waiting.allowedWithoutStore(95)).isEqualTo(95);
        }

        @Test
        void unansweredCallsDoNotAffectLaterCalls() {
            asking(window(100))
                    .losesStore(OnFailure.LOCAL)
                    .at(50)
                    .endsWaits(OnFailure.LOCAL)
                    .tells(SharedSnapshot::mode, Mode.NEW);
            asking(window(100))
                    .losesStore(OnFailure.DENY)
                    .at(50)
                    .endsWaits(OnFailure.DENY)
                    .tells(SharedSnapshot::mode, Mode.DENYING);
        }

        @Test
        void aRetryMayPassAtAnyMomentIfInstancesDivideALimitThatIsNotUsedUp() {
            opened(window(90))
                    .losesStore(Timeline.unavailableForThree())
                    .tells(KnowledgeTest::retryAtMillis, 0L)
                    .findsStore()
                    .tells(KnowledgeTest::retryAtMillis, Long.MAX_VALUE);
            opened(window(90))
                    .losesStore(Timeline.unavailableFor(1))
                    .tells(KnowledgeTest::retryAtMillis, Long.MAX_VALUE);
            usedUp(window(90), 90)
                    .losesStore(Timeline.unavailableForThree())
                    .tells(KnowledgeTest::retryAtMillis, Long.MAX_VALUE);
        }

        @Test
        void aPartIsDeterminedAgainUntilSomethingIsUsedOfIt() {
            opened(window(90))
                    .losesStore(Timeline.unavailableForThree())
                    .inHand(30)
                    .losesStore(Timeline.unavailableFor(9))
                    .inHand(10)
                    .uses(4)
                    .losesStore(Timeline.unavailableFor(9))
                    .inHand(6)
                    .losesStore(Timeline.unavailableForThree())
                    .inHand(6);
        }

        /** Others took 60 in the first second, so about 53 a second: 26 more until the outage. A third of 88 is 30. */
        @Test
        void othersAreBelievedToGoOnWhileCallsComeHere() {
            answeredAfterASecond()
                    .at(1_500)
                    .uses(1)
                    .ticks()
                    .losesStore(since(1_500))
                    .inHand(100 - 30);
        }

        @Test
        void notAfterTheLastCallHere() {
            answeredAfterASecond()
                    .at(1_250)
                    .uses(1)
                    .ticks()
                    .at(1_500)
                    .losesStore(since(1_500))
                    .inHand(100 - 25);
            answeredAfterASecond().at(61_000).losesStore(since(61_000)).inHand(100 - 20);
        }

        /** They can have taken at most 47 of the 238 that were left. A third of 109 is 37. */
        @Test
        void othersHaveNotTakenMoreThanTheStoreGrantsAhead() {
            answeredAfterASecond()
                    .at(9_000)
                    .uses(1)
                    .ticks()
                    .losesStore(since(9_000))
                    .inHand(100 - 37);
        }

        @Test
        void nobodyElseTakesFromALimitOfOneInstance() {
            answeredAfterASecond()
                    .at(1_500)
                    .uses(1)
                    .ticks()
                    .losesStore(Timeline.unavailableFor(1))
                    .inHand(300 - 62);
        }

        private static Timeline answeredAfterASecond() {
            return opened(window(300))
                    .at(1_000)
                    .needs(1)
                    .statements("needed 1 for CALLS_WAIT")
                    .isAnswered(62, 2, 0);
        }

        private static Outage since(long millis) {
            return Timeline.unavailableSince(millis);
        }

        @Test
        void whatWasUsedStaysUsedIfTheLimitIsChanged() {
            Timeline before = opened(window(90))
                    .losesStore(Timeline.unavailableForThree())
                    .uses(10);
            opened(window(120))
                    .continues(before)
                    .losesStore(Timeline.unavailableForThree())
                    .inHand(40 - 10);
            before.losesStore(Timeline.unavailableForThree()).uses(3);
            opened(window(120))
                    .continues(before)
                    .losesStore(Timeline.unavailableForThree())
                    .inHand(40 - 13)
                    .losesStore(Timeline.unavailableFor(9))
                    .inHand(40 - 13);
        }

        @Test
        void aChangedLimitStartsFreshIfNothingWasDecidedAlone() {
            opened(window(120))
                    .continues(opened(window(90)))
                    .losesStore(Timeline.unavailableForThree())
                    .inHand(40);
        }

        @Test
        void slotsComeBackWhenCallsEndWhateverTheLimitWas() {
            Timeline before =
                    opened(slots(90)).losesStore(Timeline.unavailableForThree()).uses(10);
            Account changed = opened(slots(120)).account();
            opened(slots(120)).continues(before).expect(account -> account, changed);
        }

        @Test
        void aPoolThatIsClosedIsForgottenOnceNothingUsedThereMatters() {
            Timeline full = opened(bucket(10, "PT10S", 10))
                    .losesStore(OnFailure.LOCAL)
                    .uses(4)
                    .closes();
            full.at(100).losesStore(OnFailure.LOCAL).isDone(false);
            full.at(4_099).isDone(false).at(4_100).isDone(true);
            full.charges(1).isDone(false);
        }
    }

    /** There are three instances. While the store was unavailable, each had a third of the limit. */
    @Nested
    class TheStoreIsBackAndOthersMayNotHaveReported {

        private static Timeline back(Limit limit, long usedAlone) {
            return opened(limit)
                    .losesStore(Timeline.unavailableForThree())
                    .inHand(30)
                    .uses(usedAlone)
                    .findsStoreBeforeOthers()
                    .inHand(0)
                    .tells(SharedSnapshot::mode, Mode.STORE_BACK);
        }

        /** What calls may get: each permit in hand without a grant is of the part too. */
        private static long mayGet(SharedSnapshot known) {
            return left(known) - known.ungranted();
        }

        static Stream<Limit> limits() {
            return TestLimits.ofEachAlgorithm(90, Duration.ofHours(1)).stream();
        }

        @ParameterizedTest
        @MethodSource("limits")
        void itAsksForWhatItsPartLeavesAndNoMore(Limit limit) {
            Timeline asked = back(limit, 10)
                    .tells(TheStoreIsBackAndOthersMayNotHaveReported::mayGet, 20L)
                    .needs(25)
                    .expect(account -> account.known().mayAsk(account.books().ungranted(), Timeline.moment(0)), 20L);
            asked.happens(new Event.Prepare(false, false))
                    .happens(new Event.State(new Need(25, 1, true), List.of(), false));
            Statement made = asked.made().statement();
            assertThat(made.needed().all() + made.wanted()).isEqualTo(20);
        }

        @ParameterizedTest
        @CsvSource({"0, 30", "10, 20", "29, 1", "30, 0"})
        void callsThatWaitForMoreThanThatShareIt(long usedAlone, long left) {
            back(window(90), usedAlone)
                    .needs(40)
                    .statements((usedAlone > 0 ? "used " + usedAlone : "nothing")
                            .concat(left > 0 ? ", needed " + left + " for CALLS_WAIT" : " for RETURN")
                            .replace("nothing, ", ""));
        }

        @Test
        void chargesBeyondTheHandCountInItsPart() {
            back(window(90), 10).charges(5).needs(25).statements("used 15, needed 15 for CALLS_WAIT");
        }

        @Test
        void grantsCountInItsPart() {
            back(window(90), 10)
                    .needs(15)
                    .statements("used 10, needed 15, wanted 5 for CALLS_WAIT")
                    .isAnswered(25, 15, 0)
                    .tells(KnowledgeTest::left, 5L)
                    .needs(7)
                    .statements("needed 5 for CALLS_WAIT");
        }

        @Test
        void returnsGoBackToItsPart() {
            back(window(90), 10)
                    .needsWithOthers(15)
                    .statements("used 10, needed 15, wanted 5 for CALLS_WAIT")
                    .isAnswered(30, 20, 0)
                    .tells(KnowledgeTest::left, 0L)
                    .needsNoMore()
                    .uses(2)
                    .hearsRecalled()
                    .statements("used 2 for RECALLED")
                    .isAnswered(12, 0, 0)
                    .tells(KnowledgeTest::left, 18L);
        }

        @Test
        void itAsksForAllThatIsLeftOnceOthersHaveReported() {
            back(window(90), 10)
                    .needs(25)
                    .statements("used 10, needed 20 for CALLS_WAIT")
                    .isAnswered(30, 20, 0)
                    .tells(KnowledgeTest::left, 0L)
                    .findsStore()
                    .tells(SharedSnapshot::mode, Mode.SHARED)
                    .tells(KnowledgeTest::left, 60L)
                    .needs(40)
                    .statements("needed 40, wanted 52 for CALLS_WAIT");
        }

        @Test
        void callsAreRefusedOnceTheStoreHasNothingLeft() {
            back(window(90), 10)
                    .needs(5)
                    .statements("used 10, needed 5, wanted 15 for CALLS_WAIT")
                    .isAnswered(90, 0, 0)
                    .isUsedUp();
        }

        /** The batch before the outage was applied, and its answer comes when its lease is over. */
        @Test
        void usesOfAnOldAnswerCountInItsPart() {
            opened(window(90))
                    .losesStore(Timeline.unavailableForThree())
                    .uses(4)
                    .statements("used 4 for RETURN")
                    .uses(6)
                    .findsStoreBeforeOthers()
                    .isAppliedInVain(0, 0)
                    .tells(TheStoreIsBackAndOthersMayNotHaveReported::mayGet, 20L)
                    .needs(25)
                    .statements("used 6, needed 20 for CALLS_WAIT");
        }

        @Test
        void allowsWhatItsPartLeavesIfTheStoreGoesUnavailableAgain() {
            back(window(90), 10)
                    .needs(5)
                    .statements("used 10, needed 5, wanted 15 for CALLS_WAIT")
                    .isAnswered(15, 5, 0)
                    .losesStore(Timeline.unavailableForThree())
                    .inHand(15);
        }

        @Test
        void aSlotIsFreeAgainWhenItsCallEnds() {
            back(slots(90), 10)
                    .statements("occupied 10, wanted 3 for RETURN")
                    .isAnswered(10, 0, 0)
                    .tells(KnowledgeTest::left, 20L)
                    .givesBack(7)
                    .statements("occupied 3, held 1 for RETURN")
                    .isAnswered(4, 0, 0)
                    .tells(KnowledgeTest::left, 26L);
        }
    }
}
