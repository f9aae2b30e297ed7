package dev.sluice.internal.limiter.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.exchange.Batch.Fleet;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.internal.limiter.block.Blocks;
import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamilies;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.PatientCall;
import dev.sluice.internal.limiter.counter.PendingCall;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.limiter.counter.Shortage;
import dev.sluice.internal.limiter.counter.Turn;
import dev.sluice.internal.limiter.local.UnsharedCounting;
import dev.sluice.internal.limiter.rule.Outage;
import dev.sluice.internal.limiter.shared.SharedSnapshot.Mode;
import dev.sluice.internal.limiter.shared.SharedSnapshot.Outlook;
import dev.sluice.internal.limiter.shared.SharedWindows.Background;
import dev.sluice.internal.limiter.shared.UseTimes.Calls;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What calls and the background find in one pool. A window of an hour with 100 permits begins at {@link #NOW}. */
class SharedPoolTest {

    private static final long NOW = 1_627_318_800_000L;
    private static final long HOUR = 3_600_000;

    private final List<Pool> checked = new ArrayList<>();
    private long clockMillis = NOW;
    private double load;
    private @Nullable Outage outage;
    private final SharedPool pool = pool(new Limit.FixedWindow(100, Duration.ofHours(1)));

    private SharedPool pool(Limit limit) {
        return pool(new Tier("t", limit, new Sync(Duration.ofSeconds(1), 0, false)));
    }

    private SharedPool pool(Tier tier) {
        return pool(counter(tier), NOW);
    }

    private static SharedPool pool(Counter counter, long nowMillis) {
        return (SharedPool) Objects.requireNonNull(counter.at(nowMillis));
    }

    private CounterFamily family(Tier tier) {
        return new CounterFamilies(
                        new UnsharedCounting(() -> Instant.ofEpochMilli(clockMillis)), () -> load, new Blocks(() -> 0))
                .of(new CounterFamily.Identity("e", "*", tier, List.of("tenant"), List.of("ip")));
    }

    private SharedCounter counter(Tier tier) {
        Background background = new Background() {
            @Override
            public @Nullable Outage outage() {
                return outage;
            }

            @Override
            public int instances() {
                return 1;
            }

            @Override
            public void checkSoon(Pool of) {
                checked.add(of);
            }
        };
        return new SharedCounter(family(tier), "acme", background);
    }

    private SharedPool bucket() {
        return pool(new Limit.TokenBucket(10, Duration.ofSeconds(10), 10));
    }

    /** The store has said that so much is used, and others hold so much. */
    private static SharedSnapshot said(
            SharedPool of, Mode mode, long total, long ungranted, long elsewhere, long until) {
        var usage = of.limit().usageAfter(new Grant(total, 0, 0, List.of(0L, 0L, 0L, 0L)), NOW);
        return new SharedSnapshot(mode, usage, ungranted, 3, new Outlook(false, elsewhere, until, NOW, Long.MAX_VALUE));
    }

    /** Calls are told this, and the store has recorded what it had. */
    private static void told(SharedPool of, SharedSnapshot next) {
        of.publish(next, of.used(), 0);
    }

    /** The store has recorded this much as used or held here, and so much of that as held. */
    private static void isRecorded(SharedPool of, long recorded, long held) {
        of.publish(of.snapshot(), recorded, held);
    }

    private static void isUsed(SharedPool of, long total, long elsewhere) {
        told(of, said(of, Mode.SHARED, total, 0, elsewhere, 0));
    }

    @Nested
    class WhatIsUsed {

        @Test
        void isWhatCallsTookAndWhatTheyWereChargedBeyondIt() {
            pool.put(10);
            pool.take(3, NOW);
            assertThat(pool.used()).isEqualTo(3);
            pool.charge(9, NOW);
            assertThat(pool.overdrawn()).isEqualTo(2);
            assertThat(pool.used()).isEqualTo(12);
            pool.overdrawnIsReported(2);
            assertThat(pool.overdrawn()).isEqualTo(0);
            assertThat(pool.used()).isEqualTo(12);
        }

        @Test
        void isNotWhatIsTakenOutUnspent() {
            pool.put(10);
            assertThat(pool.takeOut(4)).isEqualTo(4);
            assertThat(pool.used()).isZero();
            assertThat(pool.takeOut(9)).isEqualTo(6);
            assertThat(pool.used()).isZero();
        }

        @Test
        void isUnrecordedAsFarAsTheStoreHasNotRecordedIt() {
            pool.put(10);
            pool.take(8, NOW);
            isRecorded(pool, 5, 0);
            assertThat(pool.unrecorded()).isEqualTo(3);
            isRecorded(pool, 9, 0);
            assertThat(pool.unrecorded()).isZero();
        }

        @Test
        void isUsedUpByChargesOnceTheyAreAllThatIsLeft() {
            isUsed(pool, 100, 5);
            assertThat(pool.isUsedUpByCharges(NOW)).as("nothing is charged").isFalse();
            isUsed(pool, 97, 0);
            assertThat(pool.isUsedUpByCharges(NOW)).isFalse();
            pool.charge(2, NOW);
            assertThat(pool.isUsedUpByCharges(NOW)).isFalse();
            pool.charge(1, NOW);
            assertThat(pool.isUsedUpByCharges(NOW)).isTrue();
            isUsed(pool, 100, 0);
            assertThat(pool.isUsedUpByCharges(NOW)).as("it is used up anyway").isFalse();
            isUsed(pool, 100, 1);
            assertThat(pool.isUsedUpByCharges(NOW)).isTrue();
        }

        @Test
        void isToldOfCallsThatAreChargedAfterwards() {
            pool.put(2);
            assertThat(pool.take(1, NOW)).isEqualTo(1);
            assertThat(pool.forgetFreeCalls()).isFalse();
            assertThat(pool.take(0, 1, 0, NOW)).isEqualTo(1);
            assertThat(pool.forgetFreeCalls()).isTrue();
            assertThat(pool.forgetFreeCalls()).isFalse();
            assertThat(pool.take(0, 2, 0, NOW)).isEqualTo(Pool.TOO_FEW);
            assertThat(pool.forgetFreeCalls()).isFalse();
        }
    }

    @Nested
    class ItsEnd {

        @Test
        void isALittleAfterThatOfItsWindowSinceCallsMayBeLate() {
            pool.closeIfOver(NOW + HOUR + 99);
            assertThat(pool.permits.isClosed()).isFalse();
            pool.closeIfOver(NOW + HOUR + 100);
            assertThat(pool.permits.isClosed()).isTrue();
        }

        @Test
        void leavesNothingUndecidedOnceNoCallBorrowsAnything() {
            pool.put(1);
            assertThat(pool.borrow(1, 0, NOW)).isNotNegative();
            assertThat(pool.isDecided()).isTrue();
            pool.close();
            assertThat(checked).containsExactly(pool);
            assertThat(pool.isDecided()).isFalse();
            pool.keep();
            assertThat(pool.isDecided()).isTrue();
        }

        @Test
        void comesWhenNothingOfABucketIsUsed() {
            SharedPool bucket = bucket();
            isUsed(bucket, NOW, 0);
            assertThat(bucket.isIdle(NOW)).isTrue();
            assertThat(bucket.isIdle(NOW - 1)).isFalse();
            waits(bucket);
            assertThat(bucket.isIdle(NOW)).isFalse();
        }

        /** The store's last answer says that the bucket is full by now, but calls have come since. */
        @Test
        void doesNotComeWhileTheStoreDoesNotKnowWhatWasUsedOfABucket() {
            SharedPool bucket = bucket();
            bucket.put(new Grant(NOW, 2, 0, List.of()), NOW);
            isUsed(bucket, NOW, 0);
            isRecorded(bucket, 2, 2);
            assertThat(bucket.isIdle(NOW)).as("two permits are in hand").isFalse();
            bucket.take(1, NOW);
            bucket.giveBack(1);
            isRecorded(bucket, 0, 0);
            assertThat(bucket.isIdle(NOW)).as("one was used and not reported").isFalse();
            isRecorded(bucket, 1, 0);
            assertThat(bucket.isIdle(NOW)).as("it was reported").isTrue();
        }

        @Test
        void doesNotComeWhileASlotIsTakenThatTheStoreDoesNotKnow() {
            SharedPool slots = pool(new Limit.Concurrency(5, Limit.Concurrency.Scope.FLEET));
            slots.put(2);
            told(slots, said(slots, Mode.WITHOUT_STORE, 0, 2, 0, 0));
            assertThat(slots.isIdle(NOW)).isTrue();
            slots.take(1, NOW);
            assertThat(slots.isIdle(NOW)).isFalse();
        }

        @Test
        void ofAWindowIsAPeriodLater() {
            assertThat(pool.isIdle(NOW + 2 * HOUR - 1)).isFalse();
            assertThat(pool.isIdle(NOW + 2 * HOUR)).isTrue();
        }
    }

    private PendingCall waits(SharedPool of) {
        var lacking = List.of(new Shortage(of, 1, 1, true));
        PendingCall call = PatientCall.of(() -> lacking, () -> 0, 0, pool -> of.requestCheck());
        call.standInLine(lacking);
        return call;
    }

    @Nested
    class WhatIsAvailable {

        @Test
        void isWhatIsInHandAndWhatTheFleetLeaves() {
            isUsed(pool, 40, 0);
            assertThat(pool.available(5, NOW)).isEqualTo(65);
            isUsed(pool, 40, 7);
            assertThat(pool.available(5, NOW)).isEqualTo(72);
            pool.charge(10, NOW);
            assertThat(pool.available(5, NOW)).isEqualTo(62);
        }

        @Test
        void isToldWithWhenMoreIsLeft() {
            isUsed(pool, 40, 0);
            pool.put(5);
            assertThat(pool.state(NOW)).isEqualTo(5);
            assertThat(pool.resetMillis(5, NOW + 1_000)).isEqualTo(HOUR - 1_000);
            assertThat(pool.retryMillis(60, NOW)).isEqualTo(1);
            assertThat(pool.retryMillis(61, NOW)).isEqualTo(HOUR);
        }

        @Test
        void isLessWhileTheLoadIsHigh() {
            SharedPool elastic = pool(new Tier(
                    "t", new Limit.FixedWindow(10, Duration.ofHours(1)), new Overage.Elastic(1.5, 0.8), Sync.DEFAULT));
            elastic.put(3);
            isUsed(elastic, 12, 0); // of 15: so 3 of 5 beyond the threshold are not in hand
            assertThat(elastic.surelyShortOf(3, NOW)).isFalse();
            assertThat(elastic.retryMillis(1, NOW)).as("even under high load").isEqualTo(HOUR);
            load = 0.9;
            assertThat(elastic.surelyShortOf(1, NOW)).isFalse();
            assertThat(elastic.surelyShortOf(2, NOW)).isTrue();
            assertThat(elastic.take(2, NOW)).isEqualTo(Pool.TOO_FEW);
            assertThat(elastic.take(1, NOW)).isEqualTo(2);
            load = 0.7;
            assertThat(elastic.take(2, NOW)).isZero();
        }

        @Test
        void isNeverMoreThanTheLimitNorLessThanNothing() {
            isUsed(pool, 40, 0);
            assertThat(pool.available(50, NOW)).isEqualTo(100);
            pool.charge(500, NOW);
            assertThat(pool.available(5, NOW)).isZero();
        }

        @Test
        void doesNotCountTwiceWhatIsHeldOfABucketThatFillsUp() {
            isUsed(pool, 0, 0);
            isRecorded(pool, 0, 90);
            assertThat(pool.available(5, NOW)).isEqualTo(15);
        }
    }

    @Nested
    class ALimitThatIsUsedUp {

        private void isUsedUp() {
            told(pool, said(pool, Mode.SHARED, 100, 0, 0, Long.MAX_VALUE));
        }

        @Test
        void mayGetBackForTwoSecondsWhatCallsElsewhereReturn() {
            assertThat(pool.mayBeReturnedElsewhere(NOW)).isFalse();
            isUsedUp();
            isRecorded(pool, 99, 0);
            assertThat(pool.mayBeReturnedElsewhere(NOW + 1_999)).isTrue();
            assertThat(pool.mayBeReturnedElsewhere(NOW + 2_000)).isFalse();
            isUsed(pool, 100, 0);
            assertThat(pool.mayBeReturnedElsewhere(NOW + 600)).as("no more").isFalse();
        }

        @Test
        void isNotUsedUpElsewhereIfAllWasUsedHere() {
            isUsedUp();
            isRecorded(pool, 100, 0);
            assertThat(pool.mayBeReturnedElsewhere(NOW)).isFalse();
            told(pool, said(pool, Mode.SHARED, 99, 0, 0, Long.MAX_VALUE));
            isRecorded(pool, 99, 0);
            assertThat(pool.mayBeReturnedElsewhere(NOW)).isFalse();
        }

        @Test
        void isWorthNoWait() {
            isUsedUp();
            assertThat(pool.mayBeGranted(1, NOW)).isFalse();
            isUsed(pool, 40, 0);
            assertThat(pool.mayBeGranted(100, NOW)).isTrue();
            assertThat(pool.mayBeGranted(101, NOW))
                    .as("operators may have given calls")
                    .isTrue();
            pool.attach(new SharedWindows.Attachment() {}); // the background has seen it, and hears of gifts
            assertThat(pool.mayBeGranted(100, NOW)).isTrue();
            assertThat(pool.mayBeGranted(101, NOW)).isFalse();
        }

        @Test
        void isWorthAWaitWhileSomethingComesBack() {
            isUsedUp();
            pool.expectReturn();
            assertThat(pool.mayBeGranted(1, NOW)).isTrue();
            pool.returnIsNoted();
            assertThat(pool.mayBeGranted(1, NOW)).isFalse();
        }

        @Test
        void isWorthAWaitUntilItIsToldWhyPermitsAreGone() {
            isUsedUp();
            assertThat(pool.withdraw(1)).isZero();
            assertThat(pool.mayBeGranted(1, NOW)).isTrue();
            isUsedUp();
            assertThat(pool.mayBeGranted(1, NOW)).isFalse();
        }

        @Test
        void isLookedUpAgainOnceItsPoolIsClosed() {
            isUsedUp();
            pool.close();
            assertThat(pool.mayBeGranted(1, NOW)).isTrue();
        }
    }

    @Nested
    class WhatComesBack {

        @Test
        void isInHandAtOnce() {
            pool.put(1);
            long state = pool.take(1, NOW);
            pool.refund(1, state, NOW);
            assertThat(pool.permits.left()).isEqualTo(1);
            assertThat(pool.isReturning()).isFalse();
            assertThat(checked).containsExactly(pool);
        }

        @Test
        void toABucketIsNotSinceThatMayHaveFilledUp() {
            SharedPool bucket = bucket();
            bucket.put(2);
            long state = bucket.take(2, NOW);
            bucket.refund(2, state, NOW);
            assertThat(bucket.permits.left()).isZero();
            assertThat(bucket.overdrawn()).isEqualTo(-2);
            assertThat(bucket.isReturning()).isTrue();
            assertThat(checked).containsExactly(bucket);
        }

        @Test
        void toAnEarlierFrameIsLeftInTheLaterOne() {
            SharedPool frame = pool(new Limit.SlidingWindow(100, Duration.ofSeconds(40), 4));
            frame.put(1);
            long state = frame.take(1, NOW);
            assertThat(frame.presentFrame(NOW)).isNull();
            clockMillis = NOW + 10_000;
            frame.refund(1, state, NOW);
            SharedPool present = Objects.requireNonNull(frame.presentFrame(clockMillis));
            assertThat(present).isNotSameAs(frame);
            assertThat(present.isReturning()).isTrue();
            assertThat(frame.permits.number()).isEqualTo(1);
        }

        @Test
        void toAnEarlierWindowIsNot() {
            assertThat(pool.presentFrame(NOW + HOUR)).isNull();
        }

        @Test
        void isCheckedIfACallWaitsForItOrNobodyTakesItAnyMore() {
            pool.put(3);
            pool.release(1, pool.borrow(1, 0, NOW), NOW);
            assertThat(checked).isEmpty();
            PendingCall call = waits(pool);
            checked.clear();
            pool.release(1, pool.borrow(1, 0, NOW), NOW);
            assertThat(checked).containsExactly(pool);
            call.end();
            checked.clear();
            long last = pool.borrow(1, 0, NOW);
            pool.permits.close();
            pool.release(1, last, NOW);
            assertThat(checked).containsExactly(pool);
        }
    }

    @Test
    void isLowOnceFewerAreInHandThanTheBackgroundSays() {
        isUsed(pool, 0, 0);
        assertThat(pool.isLow(3)).isFalse();
        assertThat(pool.isLow(2)).isTrue();
    }

    /** One call a second; a grant of two was made when the bucket was full. */
    @Nested
    class Turns {

        private final SharedPool queue =
                pool(new Limit.LeakyBucket(60, Duration.ofMinutes(1), 59, Duration.ofMinutes(1)));

        private void grantTwo() {
            queue.put(new Grant(NOW + 2_000, 2, 0), NOW);
        }

        @Test
        void comeWithAGrant() {
            grantTwo();
            assertThat(queue.takeTurns(0, 2, NOW)).containsExactly(new Turn(NOW, 1), new Turn(NOW + 1_000, 1));
            assertThat(queue.takeTurns(0, 1, NOW)).isEmpty();
        }

        @Test
        void comeBackWithThoseWhoReturnThem() {
            grantTwo();
            queue.releaseTurns(queue.takeTurns(0, 1, NOW));
            assertThat(queue.takeTurns(0, 1, NOW)).containsExactly(new Turn(NOW, 1));
        }

        @Test
        void areGivenBackWithTheirPermitsTheLastFirst() {
            grantTwo();
            queue.giveBack(1);
            assertThat(queue.permits.left()).isEqualTo(1);
            assertThat(queue.takeTurns(0, 2, NOW)).containsExactly(new Turn(NOW, 1));
        }

        @Test
        void areTakenByCharges() {
            grantTwo();
            queue.charge(1, NOW);
            assertThat(queue.takeTurns(0, 2, NOW)).containsExactly(new Turn(NOW + 1_000, 1));
        }

        @Test
        void ofCallsWithoutTheStoreFollowFromItsPart() {
            told(queue, said(queue, Mode.WITHOUT_STORE, NOW, 5, 0, 0));
            assertThat(queue.takeTurns(4, 1, NOW)).containsExactly(new Turn(NOW, 1));
            assertThat(queue.takeTurns(3, 1, NOW)).containsExactly(new Turn(NOW + 1_000, 1));
            queue.releaseTurns(List.of(new Turn(NOW + 7, 1)));
            isUsed(queue, NOW, 0);
            assertThat(queue.takeTurns(0, 1, NOW)).isEmpty();
        }

        @Test
        void areNoneOfOtherLimits() {
            assertThat(pool.takeTurns(0, 1, NOW)).isEmpty();
        }
    }

    /** When calls took what the store is to be told of. */
    @Nested
    class Times {

        private List<Calls> times(SharedPool of) {
            return of.drainTimes();
        }

        @Test
        void areThoseAtWhichCallsTookSomethingOrWereCharged() {
            SharedPool log = pool(new Limit.SlidingLog(10, Duration.ofSeconds(10)));
            log.put(3);
            log.take(2, NOW);
            log.take(1, NOW + 5);
            log.charge(4, NOW + 9);
            assertThat(log.take(1, NOW + 9)).isEqualTo(Pool.TOO_FEW);
            assertThat(times(log)).containsExactly(new Calls(NOW, 2), new Calls(NOW + 5, 1), new Calls(NOW + 9, 4));
        }

        @Test
        void areTakenBackWithWhatComesBack() {
            for (Limit limit : List.of(
                    new Limit.SlidingLog(10, Duration.ofSeconds(10)),
                    new Limit.TokenBucket(10, Duration.ofSeconds(10), 10))) {
                SharedPool timed = pool(limit);
                timed.put(9);
                long state = timed.take(2, NOW);
                timed.refund(2, state, NOW - 7);
                assertThat(times(timed)).containsExactly(new Calls(NOW, 2), new Calls(NOW - 7, -2));
                timed.release(1, timed.borrow(1, 0, NOW), NOW - 8);
                assertThat(times(timed)).containsExactly(new Calls(NOW, 1), new Calls(NOW - 8, -1));
            }
        }

        @Test
        void doNotMatterIfCallsAreOnlyAddedUp() {
            pool.put(1);
            pool.take(1, NOW);
            assertThat(times(pool)).isEmpty();
        }
    }

    @Nested
    class ACounter {

        private final Tier slack = new Tier(
                "t", new Limit.FixedWindow(100, Duration.ofHours(1)), new Sync(Duration.ofSeconds(1), 0.1, false));

        @Test
        void beginsWithItsSlack() {
            assertThat(pool(slack).permits.left()).isEqualTo(10);
            assertThat(pool.permits.left()).isZero();
        }

        @Test
        void thatIsReplacedIsRetiredAndGivesNoSlackAgain() {
            SharedCounter before = counter(slack);
            SharedCounter next = before.replacedBy(family(slack.times(BigDecimal.TEN)));
            assertThat(before.isRetired()).isTrue();
            SharedPool continued = pool(next, NOW);
            assertThat(continued.isUnseen()).isTrue();
            assertThat(continued.permits.left()).isZero();
            assertThat(next.most()).isEqualTo(1_000);
        }

        @Test
        void thatIsSharedNoLongerTellsWhatWasUsed() {
            SharedCounter counter = counter(new Tier(
                    "t", new Limit.FixedWindow(100, Duration.ofHours(1)), new Sync(Duration.ofSeconds(1), 0, false)));
            isUsed(pool(counter, NOW), 40, 0);
            assertThat(counter.retireBecauseUnshared(NOW)).isEqualTo(40);
            assertThat(counter.isRetired()).isTrue();
            assertThat(counter.retireBecauseUnshared(NOW))
                    .as("another one counts")
                    .isZero();
        }

        @Test
        void thatIsOpenedWhileTheStoreIsUnavailableAllowsWhatThePolicySays() {
            outage = new Outage(OnFailure.LOCAL, Fleet.assumed(1), NOW, false);
            SharedPool withoutStore = pool(slack);
            assertThat(withoutStore.snapshot().mode()).isEqualTo(Mode.WITHOUT_STORE);
            assertThat(withoutStore.permits.left()).isEqualTo(100);
        }

        @ParameterizedTest
        @CsvSource({"SHARE, 0", "LOCAL, 0", "ALLOW, " + Limit.MAX_THRESHOLD, "DENY, 0"})
        void thatIsReplacedWhileTheStoreIsUnavailableAllowsNothingBeforeTheBackgroundHasSeenIt(
                OnFailure policy, long allowed) {
            SharedCounter before = counter(slack);
            outage = new Outage(policy, Fleet.assumed(1), NOW, false);
            assertThat(pool(before.replacedBy(family(slack.times(BigDecimal.TEN))), NOW)
                            .permits
                            .left())
                    .isEqualTo(allowed);
        }

        @Test
        void goesOnInItsNextFrameWithWhatWasUsedWhileTheStoreIsUnavailable() {
            outage = new Outage(OnFailure.LOCAL, Fleet.assumed(1), NOW, false);
            SharedCounter counter = counter(new Tier("t", new Limit.SlidingWindow(100, Duration.ofSeconds(40), 4)));
            SharedPool frame = pool(counter, NOW);
            frame.take(30, NOW);
            clockMillis = NOW + 10_000;
            SharedPool next = pool(counter, clockMillis);
            assertThat(next.windows().history.unrecorded.at(NOW)).isEqualTo(30);
            assertThat(next.permits.left()).isEqualTo(70);
        }
    }

    /** Frames of ten seconds, of which four count beside the present one. */
    @Nested
    class TotalsOfFrames {

        private static final long FRAME = 10_000;
        private final SharedPool frame = pool(new Limit.SlidingWindow(100, Duration.ofSeconds(40), 4));

        private CounterHistory.FrameTotals totals() {
            return frame.windows().history.frames;
        }

        @Test
        void areWhatTheStoreSaysOfThisFrameAndOfThoseBefore() {
            frame.put(new Grant(7, 0, 0, List.of(4L, 3L, 2L, 1L)), NOW);
            assertThat(totals().at(NOW)).isEqualTo(7);
            assertThat(totals().before(NOW)).containsExactly(4L, 3L, 2L, 1L);
            assertThat(totals().before(NOW + FRAME)).containsExactly(7L, 4L, 3L, 2L);
        }

        @Test
        void endWithWhatIsUnrecorded() {
            frame.windows().history.unrecorded.set(NOW, 5);
            frame.put(new Grant(7, 0, 0, List.of(0L, 0L, 0L, 0L)), NOW);
            assertThat(frame.windows().history.unrecorded.at(NOW)).isZero();
        }

        @Test
        void areForgottenWhenTheyCountNoMore() {
            for (int i = 0; i < 7; i++) {
                totals().set(NOW + i * FRAME, 1);
            }
            assertThat(totals().at(NOW)).isZero();
            assertThat(totals().at(NOW + FRAME)).isEqualTo(1);
        }

        @Test
        void ofAClockThatWasWrongAreForgotten() {
            totals().set(NOW + 4 * FRAME, 1);
            totals().set(NOW + 5 * FRAME, 1);
            totals().set(NOW, 1);
            assertThat(totals().at(NOW + 4 * FRAME)).isEqualTo(1);
            assertThat(totals().at(NOW + 5 * FRAME)).isZero();
        }

        @Test
        void areNoneOfOtherLimits() {
            pool.windows().history.frames.set(NOW, 5);
            assertThat(pool.windows().history.frames.at(NOW)).isZero();
            assertThat(pool.windows().history.frames.before(NOW)).isEmpty();
        }
    }
}
