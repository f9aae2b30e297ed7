package dev.sluice.internal.limiter.account;

import static dev.sluice.internal.limiter.account.Timeline.SLACK;
import static dev.sluice.internal.limiter.account.Timeline.STRICT;
import static dev.sluice.internal.limiter.account.Timeline.USUAL;
import static dev.sluice.internal.limiter.account.Timeline.holding;
import static dev.sluice.internal.limiter.account.Timeline.moment;
import static dev.sluice.internal.limiter.account.Timeline.opened;
import static dev.sluice.internal.limiter.account.Timeline.terms;
import static dev.sluice.internal.limiter.account.Timeline.window;
import static dev.sluice.internal.limiter.simulation.CallPattern.slots;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.limiter.account.Account.Stage;
import dev.sluice.internal.limiter.shared.SharedSnapshot;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PaceTest {

    private static final Terms USUAL_TERMS = terms(window(10_000), USUAL);
    /** The last quarter of an interval of {@link #USUAL_TERMS}. */
    private static final long NEAR_THE_END = 600_000 - 250;

    private static Totals used(long used) {
        return new Totals(used, 0, 0, 0, false, false, false, false, 1);
    }

    /** The pace after this number of calls, all at the same moment. */
    private static Pace calledAt(long millis, long calls) {
        return Pace.opened(null, moment(millis)).updated(USUAL_TERMS, used(calls), false, moment(millis));
    }

    private static long share(Pace pace, long atMillis) {
        return pace.share(USUAL_TERMS, used(0), false, moment(atMillis));
    }

    @Nested
    class AShare {

        @ParameterizedTest
        @CsvSource({"0, 0", "2, 0", "3, 10", "4, 12", "9, 21", "100, 140", "400, 480"})
        void isWhatAnIntervalNeedsAndAMargin(long calls, long share) {
            assertThat(share(calledAt(0, calls), 100)).isEqualTo(share);
        }

        @Test
        void isWhatIsNeededUntilTheWindowEnds() {
            assertThat(share(calledAt(NEAR_THE_END, 100), NEAR_THE_END)).isEqualTo(25 + 20);
            assertThat(share(calledAt(598_900, 100), 599_000)).isEqualTo(140);
            assertThat(share(calledAt(NEAR_THE_END, 100), 600_000)).isZero();
            assertThat(share(calledAt(NEAR_THE_END, 100), 600_100)).isZero();
        }

        @Test
        void isWhatTheWindowNeedsIfThatHasYetToBegin() {
            Terms half = terms(new Limit.FixedWindow(10_000, Duration.ofMillis(500)), USUAL);
            assertThat(calledAt(-100, 100).share(half, used(0), true, moment(-100)))
                    .isEqualTo(79); // 50 and four deviations
        }

        @Test
        void forgetsABurstAfterTwoIntervals() {
            Pace pace = calledAt(0, 100).updated(USUAL_TERMS, used(101), false, moment(1_400));
            assertThat(share(pace, 1_500)).isEqualTo(80); // 50 and one, and four deviations of 7.14
            assertThat(share(pace, 2_000)).isZero();
        }

        @Test
        void isNoneOfAStrictLimit() {
            assertThat(calledAt(0, 100).share(terms(window(10_000), STRICT), used(100), true, moment(100)))
                    .isZero();
        }

        @ParameterizedTest
        @CsvSource({"0, 0", "1, 1", "3, 1", "4, 2", "100, 26"})
        void ofSlotsIsAQuarterOfThoseInUseAndOne(long inUse, long share) {
            assertThat(calledAt(0, inUse).share(terms(slots(1_000), USUAL), used(inUse), true, moment(0)))
                    .isEqualTo(share);
        }

        @Test
        void ofStrictSlotsIsNone() {
            Sync strict = new Sync(USUAL.every(), 0, true);
            assertThat(calledAt(0, 9).share(terms(slots(1_000), strict), used(9), true, moment(0)))
                    .isZero();
        }

        @Test
        void isTooLargeOnceMoreThanTwiceAsMuchIsHeld() {
            Pace pace = calledAt(0, 3); // a share of 10
            assertThat(pace.surplus(USUAL_TERMS, used(3), 20, true, moment(100)))
                    .isZero();
            assertThat(pace.surplus(USUAL_TERMS, used(3), 21, true, moment(100)))
                    .isEqualTo(11);
            assertThat(calledAt(0, 0).surplus(USUAL_TERMS, used(0), 0, true, moment(100)))
                    .isZero();
            assertThat(calledAt(0, 0).surplus(USUAL_TERMS, used(0), 1, true, moment(100)))
                    .isEqualTo(1);
        }

        @Test
        void isReturnedAsAWholeOnceTheCounterIsQuiet() {
            assertThat(calledAt(0, 9).surplus(USUAL_TERMS, used(9), 5, true, moment(739)))
                    .isZero();
            assertThat(calledAt(0, 9).surplus(USUAL_TERMS, used(9), 5, true, moment(740)))
                    .isEqualTo(5);
        }
    }

    @Nested
    class ALimitThatChargesAfterwards {

        private Pace calledForFreeAt(long millis) {
            return calledAt(0, 0).updated(USUAL_TERMS, used(0), true, moment(millis));
        }

        @Test
        void keepsOnePermitForAnInterval() {
            assertThat(share(calledForFreeAt(500), 1_499)).isEqualTo(1);
            assertThat(share(calledForFreeAt(500), 1_500)).isZero();
        }

        @Test
        void keepsOnePermitBesideItsShare() {
            assertThat(share(calledAt(0, 100).updated(USUAL_TERMS, used(100), true, moment(0)), 100))
                    .isEqualTo(141);
            assertThat(share(calledAt(0, 1).updated(USUAL_TERMS, used(1), true, moment(0)), 100))
                    .isEqualTo(1 + 5);
        }

        @Test
        void isNotQuietWhileCallsPass() {
            assertThat(calledForFreeAt(500).isQuiet(USUAL_TERMS, moment(1_239))).isFalse();
            assertThat(calledForFreeAt(500).isQuiet(USUAL_TERMS, moment(1_240))).isTrue();
        }

        @Test
        void keepsOnePermitNoLongerSinceOtherCallsCame() {
            Pace pace = calledForFreeAt(100).updated(USUAL_TERMS, used(1), false, moment(900));
            assertThat(share(pace, 1_099)).isEqualTo(1 + 5);
            assertThat(share(pace, 1_100)).isZero();
        }

        @Test
        void doesNotCountThemAmongCallsThatComeOneByOne() {
            assertThat(calledForFreeAt(500).calledNanos()).isEqualTo(Pace.NEVER);
        }

        @Test
        void hearsOfThemThroughItsAccount() {
            opened(window(100)).passesFree().statements("wanted 1 for RETURN");
        }
    }

    @Nested
    class ACounter {

        @Test
        void isQuietOnceNobodyCalledForNearlyAnInterval() {
            assertThat(calledAt(0, 0).isQuiet(USUAL_TERMS, moment(739))).isFalse();
            assertThat(calledAt(0, 0).isQuiet(USUAL_TERMS, moment(740))).isTrue();
        }

        @Test
        void isNotQuietSinceACallCameOrGaveSomethingBack() {
            Pace called = calledAt(0, 5).updated(USUAL_TERMS, used(6), false, moment(500));
            assertThat(called.isQuiet(USUAL_TERMS, moment(1_239))).isFalse();
            Pace gaveBack = called.updated(USUAL_TERMS, used(4), false, moment(900));
            assertThat(gaveBack.isQuiet(USUAL_TERMS, moment(1_639))).isFalse();
            assertThat(gaveBack.isQuiet(USUAL_TERMS, moment(1_640))).isTrue();
        }

        @Test
        void countsEachCallOnce() {
            Pace pace = calledAt(0, 50)
                    .updated(USUAL_TERMS, used(50), false, moment(10))
                    .updated(USUAL_TERMS, used(60), false, moment(20));
            assertThat(pace.rate(USUAL_TERMS, moment(20))).isEqualTo(60);
        }
    }

    @Nested
    class ACallRequestsACheck {

        private long lowWater(Limit limit, long calls, long ungranted) {
            return calledAt(0, calls).lowWater(terms(limit, USUAL), ungranted, moment(100));
        }

        @ParameterizedTest
        @CsvSource({"3, 1", "100, 4", "1000, 40", "1010, 41"})
        void onceTheShareWouldLastFortyMilliseconds(long calls, long lowWater) {
            assertThat(lowWater(window(10_000), calls, 0)).isEqualTo(lowWater);
            assertThat(lowWater(window(10_000), calls, 7)).isEqualTo(7 + lowWater);
        }

        @Test
        void onceHalfOfASmallShareIsUsed() {
            Pace pace = calledAt(599_990, 1_000); // needs 10 until the end, so its share is 23
            assertThat(pace.lowWater(USUAL_TERMS, 0, moment(599_990))).isEqualTo(11);
        }

        @ParameterizedTest
        @CsvSource({"0, 0", "1, 1", "9, 5", "10, 5"})
        void onceHalfOfWhatWasNotGrantedIsUsedIfItHasNoShare(long ungranted, long lowWater) {
            assertThat(lowWater(window(10_000), 2, ungranted)).isEqualTo(lowWater);
        }

        @Test
        void neverForSlots() {
            assertThat(lowWater(slots(1_000), 100, 7)).isZero();
        }

        @Test
        void eachTimeWhileTheAccountIsIdle() {
            opened(window(100), SLACK).enters(Stage.IDLE).tells(SharedSnapshot::lowWater, Long.MAX_VALUE);
        }

        @Test
        void neverOnceNothingIsLeftToAskFor() {
            holding(window(100), 100).uses(50).ticks().tells(SharedSnapshot::lowWater, 0L);
            holding(window(101), 100).uses(50).ticks().tells(SharedSnapshot::lowWater, 2L);
        }

        @Test
        void neverWhileTheStoreIsUnavailable() {
            holding(window(1_000), 100)
                    .uses(50)
                    .ticks()
                    .losesStore(OnFailure.LOCAL)
                    .tells(SharedSnapshot::lowWater, 0L);
        }
    }
}
