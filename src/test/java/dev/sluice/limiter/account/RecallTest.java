package dev.sluice.limiter.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.limiter.balance.Moment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RecallTest {

    private final Recall recall = new Recall(at(0));

    private static Moment at(long millis) {
        return new Moment(millis * 1_000_000, 1_000_000 + millis);
    }

    private static long nanos(long millis) {
        return at(millis).nanos();
    }

    @Nested
    class CallsThatWaitHere {

        @Test
        void areAskedForAgainAfterOneTwoFiveAndTenMilliseconds() {
            recall.waitsNow(at(100));
            assertThat(recall.askNanos()).isEqualTo(nanos(100));
            List<Long> pauses = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                recall.answered(true, 0, 0, at(200));
                pauses.add((recall.askNanos() - nanos(200)) / 1_000_000);
            }
            assertThat(pauses).containsExactly(1L, 2L, 5L, 10L, 10L);
        }

        @Test
        void areAskedForAtOnceWhenThereIsNews() {
            recall.waitsNow(at(100));
            recall.answered(true, 0, 0, at(101));
            recall.askNow(at(101));
            assertThat(recall.askNanos()).isEqualTo(nanos(101));
        }

        @Test
        void rememberWhenTheStoreWasFirstAsked() {
            recall.waitsNow(at(100));
            assertThat(recall.sinceMillis()).isZero();
            recall.answered(true, 0, 0, at(101));
            recall.answered(true, 0, 0, at(105));
            assertThat(recall.sinceMillis()).isEqualTo(at(101).millis());
            recall.answered(false, 0, 0, at(106));
            assertThat(recall.sinceMillis()).isZero();
        }

        @Test
        void waitAnewOnceSomethingWasGranted() {
            recall.waitsNow(at(100));
            recall.answered(true, 1, 0, at(140));
            recall.waitsNow(at(145));
            assertThat(recall.waitingSinceNanos()).isEqualTo(nanos(140));
        }

        @Test
        void beginToWaitAnewWhenNoneWaitedForATime() {
            recall.waitsNow(at(100));
            recall.waitsNoMore();
            assertThat(recall.isWaiting()).isFalse();
            recall.waitsNow(at(500));
            assertThat(recall.waitingSinceNanos()).isEqualTo(nanos(500));
        }

        @Test
        void giveUpWhenNobodyAnswers() {
            recall.waitsNow(at(100));
            recall.answered(true, 0, 0, at(101));
            recall.giveUp(at(150));
            assertThat(recall.isWaiting()).isFalse();
            assertThat(recall.sinceMillis()).isZero();
        }
    }

    @Nested
    class CallsThatWaitElsewhere {

        @Test
        void getWhatIsHeldAtOnce() {
            recall.demand(at(100));
            assertThat(recall.isDemanded()).isTrue();
            assertThat(recall.askNanos()).isLessThanOrEqualTo(nanos(100));
            recall.claimed();
            recall.answered(false, 0, 0, at(101));
            assertThat(recall.isDemanded()).isFalse();
        }

        @Test
        void getWhatIsGrantedToAnExchangeThatWasUnderWay() {
            recall.claimed();
            recall.demand(at(100));
            recall.answered(false, 1, 0, at(101));
            assertThat(recall.isDemanded()).isTrue();
        }

        @Test
        void leaveCallsHereAMillisecondForWhatTheyWereGranted() {
            recall.answered(false, 1, 0, at(100));
            recall.demand(at(100));
            assertThat(recall.askNanos()).isEqualTo(nanos(101));
        }

        @Test
        void keepThisInstanceFromTakingAheadForATime() {
            assertThat(recall.isRecent(1_000, at(0))).isFalse();
            recall.demand(at(100));
            assertThat(recall.isRecent(1_000, at(1_099))).isTrue();
            assertThat(recall.isRecent(1_000, at(1_100))).isFalse();
        }
    }
}
