package dev.sluice.internal.limiter.rule;

import static dev.sluice.internal.limiter.simulation.CallPattern.bucket;
import static dev.sluice.internal.limiter.simulation.CallPattern.log;
import static dev.sluice.internal.limiter.simulation.CallPattern.sliding;
import static dev.sluice.internal.limiter.simulation.CallPattern.slots;
import static dev.sluice.internal.limiter.simulation.CallPattern.window;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Use;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import dev.sluice.tier.Windows;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What the store's answers mean, for each algorithm. A window begins at {@link #START}. */
class FleetUsageTest {

    private static final long START = 1_627_318_800_000L;
    private static final OwnUse NOTHING = new OwnUse(List.of(), List.of(), 0);
    /** The first of three instances. */
    private static final Part FIRST = new Part(3, 0, 0);

    private static final Part LAST = new Part(3, 2, 0);
    /** The last of three instances, none of which is locked out. */
    private static final Part LAST_AT_LEAST_ONE = new Part(3, 2, 1);

    private static SharedLimit shared(Limit limit) {
        Windows windows = limit.windows();
        return SharedLimits.of(
                new Tier("t", limit),
                START,
                START + (windows == null ? 0 : windows.length().toMillis()));
    }

    /** The usage after an answer. */
    private static FleetUsage usage(Limit limit, long total, Long... details) {
        return shared(limit).usageAfter(new Grant(total, 0, 0, List.of(details)), START);
    }

    @Nested
    class OfAWindow {

        private final FleetUsage used = usage(window(90, "PT10S"), 31);

        @Test
        void isWhatIsLeftUntilTheWindowEnds() {
            assertThat(used.left(START)).isEqualTo(59);
            assertThat(used.millisUntil(60, START + 4_000)).isEqualTo(6_000);
            assertThat(used.resetMillis(START + 4_000)).isEqualTo(6_000);
            assertThat(used.knownUntilMillis(START)).isEqualTo(Long.MAX_VALUE);
        }

        @Test
        void isLessAfterMoreIsUsed() {
            assertThat(used.after(9, START).left(START)).isEqualTo(50);
        }

        @Test
        void isNoneOnceItIsUsedUp() {
            FleetUsage usedUp = shared(window(90, "PT10S")).usageAfter(new Grant(90, 0, 0), START);
            assertThat(usedUp.left(START)).isZero();
            assertThat(usedUp.resetMillis(START)).isEqualTo(10_000);
        }

        @Test
        void isDividedInWhatIsAllowedAndWhatIsUsed() {
            assertThat(used.alone(FIRST, NOTHING, START).left(START)).isEqualTo(30 - 11);
            assertThat(used.alone(LAST, NOTHING, START).left(START)).isEqualTo(30 - 10);
            assertThat(used.alone(LAST, NOTHING, START).resetMillis(START)).isEqualTo(10_000);
        }

        @Test
        void leavesAtLeastOneToEachInstance() {
            FleetUsage unused = usage(window(2, "PT10S"), 0);
            assertThat(unused.alone(LAST, NOTHING, START).left(START)).isZero();
            assertThat(unused.alone(LAST_AT_LEAST_ONE, NOTHING, START).left(START))
                    .isEqualTo(1);
        }

        @Test
        void goesOnWithOtherFiguresIfTheAlgorithmIsTheSame() {
            assertThat(usage(window(100, "PT10S"), 0).continuing(used, 2, START).left(START))
                    .isEqualTo(100 - 33);
            assertThat(used.continuing(usage(slots(5), 5), 2, START)).isSameAs(used);
        }
    }

    @Nested
    class OfASlidingWindow {

        private final Limit limit = sliding(100, "PT10S", 1);
        /** 20 in this frame, 40 in the one before. */
        private final FleetUsage used = usage(limit, 20, 40L);

        @Test
        void weighsEarlierFrames() {
            assertThat(used.left(START)).isEqualTo(100 - 20 - 40);
            assertThat(used.left(START + 5_000)).isEqualTo(100 - 20 - 20);
            assertThat(used.millisUntil(70, START + 5_000)).isEqualTo(2_500);
            assertThat(used.resetMillis(START + 5_000)).isEqualTo(15_000);
        }

        @Test
        void countsAllButTheOldestFrameInFull() {
            assertThat(usage(sliding(100, "PT40S", 4), 1, 2L, 4L, 8L, 16L).left(START + 5_000))
                    .isEqualTo(100 - (1 + 2 + 4 + 8) - 16 / 2);
        }

        @Test
        void isDividedInWhatIsLeft() {
            assertThat(used.alone(FIRST, NOTHING, START).left(START + 5_000)).isEqualTo(20);
            assertThat(used.alone(FIRST, NOTHING, START).left(START + 5_249)).isEqualTo(20);
            assertThat(used.alone(FIRST, NOTHING, START).left(START + 5_250)).isEqualTo(21);
            assertThat(used.alone(FIRST, NOTHING, START).millisUntil(21, START + 5_000))
                    .isEqualTo(250);
        }

        @Test
        void countsWhatOneInstanceUsesForAll() {
            assertThat(used.alone(FIRST, NOTHING, START).after(2, START).left(START + 5_000))
                    .isEqualTo(18);
            OwnUse before = new OwnUse(List.of(3L), List.of(), 0);
            assertThat(used.alone(FIRST, before, START).left(START + 5_000))
                    .as("55 for all")
                    .isEqualTo(19);
        }

        @Test
        void leavesAtLeastOneToEachInstance() {
            FleetUsage unused = usage(sliding(2, "PT10S", 1), 0, 0L);
            assertThat(unused.alone(LAST, NOTHING, START).left(START)).isZero();
            assertThat(unused.alone(LAST_AT_LEAST_ONE, NOTHING, START).left(START))
                    .isEqualTo(1);
        }

        @Test
        void goesOnWithOtherFiguresIfTheFramesAreTheSame() {
            FleetUsage next = usage(sliding(200, "PT10S", 1), 0, 0L);
            assertThat(next.continuing(used, 2, START).left(START)).isEqualTo(200 - 22 - 40);
            assertThat(next.alone(FIRST, NOTHING, START)
                            .continuing(used, 2, START)
                            .left(START))
                    .as("a third of 200 - 26 - 40")
                    .isEqualTo(45);
            FleetUsage ofFour = usage(sliding(200, "PT40S", 4), 0, 0L, 0L, 0L, 0L);
            assertThat(ofFour.continuing(used, 2, START)).isSameAs(ofFour);
        }
    }

    @Nested
    class OfALog {

        private final Limit limit = log(90, "PT10S");
        /** The oldest of 90 calls was made four seconds ago. */
        private final FleetUsage full = usage(limit, 90, START - 4_000);

        @Test
        void isOneMoreOnceTheOldestCallIsAPeriodOld() {
            assertThat(full.left(START + 5_999)).isZero();
            assertThat(full.left(START + 6_000)).isEqualTo(1);
            assertThat(full.knownUntilMillis(START)).isEqualTo(START + 6_000);
        }

        @Test
        void tellsWhenOneMoreIsLeftAndThatAllOthersAreGoneAPeriodAfterTheAnswer() {
            assertThat(full.millisUntil(1, START)).isEqualTo(6_000);
            assertThat(full.millisUntil(1, START + 7_000)).isZero();
            assertThat(full.millisUntil(2, START)).isEqualTo(10_000);
            assertThat(full.millisUntil(2, START + 7_000)).isEqualTo(3_000);
            assertThat(full.resetMillis(START)).isEqualTo(10_000);
            assertThat(full.resetMillis(START + 7_000)).isEqualTo(3_000);
            assertThat(full.resetMillis(-89, START + 7_000)).isZero();
        }

        @Test
        void isAllOfItAPeriodAfterTheAnswer() {
            assertThat(full.left(START + 9_999)).isEqualTo(1);
            assertThat(full.left(START + 10_000)).isEqualTo(90);
            assertThat(full.resetMillis(START + 10_000)).isZero();
            assertThat(full.alone(FIRST, NOTHING, START + 10_000).left(START + 10_000))
                    .isEqualTo(30);
            FleetUsage again = full.after(3, START + 12_000);
            assertThat(again.left(START + 12_000)).isEqualTo(87);
            assertThat(again.left(START + 22_000)).isEqualTo(90);
        }

        @Test
        void isAllOfItIfNothingWasUsed() {
            FleetUsage unused = usage(limit, 0, 0L);
            assertThat(unused.left(START)).isEqualTo(90);
            assertThat(unused.millisUntil(91, START)).isEqualTo(10_000);
            assertThat(unused.knownUntilMillis(START)).isEqualTo(Long.MAX_VALUE);
            assertThat(unused.resetMillis(START)).isZero();
            assertThat(usage(limit, 0).left(START)).isEqualTo(90);
        }

        @Test
        void isLessAfterMoreIsUsedAndTheOldestCallStays() {
            assertThat(full.after(2, START).left(START)).isEqualTo(-2);
            assertThat(full.after(2, START).left(START + 6_000)).isEqualTo(-1);
            FleetUsage one = usage(limit, 0, 0L).after(1, START);
            assertThat(one.left(START + 9_999)).isEqualTo(89);
            assertThat(one.left(START + 10_000)).isEqualTo(90);
        }

        @Test
        void isForOneInstanceItsOwnCallsAndItsPartOfTheOthers() {
            OwnUse own = new OwnUse(List.of(), List.of(new Use(10_000, 7), new Use(2_000, 4)), 0);
            FleetUsage alone =
                    usage(limit, 31, START - 4_000).alone(FIRST, own, START); // a part of 11: 7 are not its own
            assertThat(alone.left(START)).isEqualTo(30 - 11);
            assertThat(alone.left(START + 7_999)).isEqualTo(30 - 11);
            assertThat(alone.left(START + 8_000)).isEqualTo(30 - 7);
            assertThat(alone.left(START + 10_000)).isEqualTo(30);
        }

        @Test
        void countsForOneInstanceNoOthersIfItsOwnCallsAreMoreThanItsPart() {
            OwnUse own = new OwnUse(List.of(), List.of(new Use(2_000, 20)), 0);
            assertThat(usage(limit, 31, START - 4_000).alone(FIRST, own, START).left(START))
                    .isEqualTo(10);
        }

        @Test
        void doesNotDivideTheOldestCallOnceItIsAPeriodOld() {
            FleetUsage oldest = usage(limit, 31, START - 10_000);
            assertThat(oldest.alone(FIRST, NOTHING, START).left(START))
                    .as("30 are left to divide")
                    .isEqualTo(30 - 10);
        }
    }

    /** While the store is unavailable. */
    @Nested
    class OfTheLogOfOneInstance {

        /** Three calls two seconds ago, and five now. */
        private final FleetUsage log = empty().after(3, START - 2_000).after(5, START);

        private FleetUsage empty() {
            return usage(log(30, "PT10S"), 0, 0L).alone(Part.WHOLE, NOTHING, START);
        }

        @Test
        void comesBackCallByCall() {
            assertThat(log.left(START + 7_999)).isEqualTo(22);
            assertThat(log.left(START + 8_000)).isEqualTo(25);
            assertThat(log.left(START + 9_999)).isEqualTo(25);
            assertThat(log.left(START + 10_000)).isEqualTo(30);
        }

        @Test
        void predictsWhenEnoughIsLeft() {
            assertThat(log.millisUntil(25, START)).isEqualTo(8_000);
            assertThat(log.millisUntil(26, START)).isEqualTo(10_000);
            assertThat(log.millisUntil(26, START + 8_000)).isEqualTo(2_000);
            assertThat(log.millisUntil(31, START)).as("never").isEqualTo(10_000);
            assertThat(empty().millisUntil(30, START)).isZero();
            assertThat(empty().millisUntil(31, START)).isEqualTo(10_000);
        }

        @Test
        void isAllLeftWhenTheLastCallIsAPeriodOld() {
            assertThat(log.resetMillis(START)).isEqualTo(10_000);
            assertThat(log.resetMillis(START + 4_000)).isEqualTo(6_000);
            assertThat(log.resetMillis(START + 10_001)).isZero();
            assertThat(empty().resetMillis(START)).isZero();
        }

        @Test
        void staysIfNothingIsUsed() {
            assertThat(log.after(0, START)).isEqualTo(log);
        }

        @Test
        void remembersNoCallsThatAreAPeriodOld() {
            assertThat(log.after(0, START + 8_000)).isEqualTo(empty().after(5, START));
        }

        @Test
        void takesTheEarliestCallsTogetherBeyond128Times() {
            FleetUsage many = empty();
            for (int call = 0; call < 129; call++) {
                many = many.after(1, START + call);
            }
            assertThat(many.left(START + 128)).isEqualTo(30 - 129);
            assertThat(many.left(START + 10_000))
                    .as("it counts as the next one")
                    .isEqualTo(30 - 129);
            assertThat(many.left(START + 10_001)).isEqualTo(30 - 127);
            assertThat(many.left(START + 10_002)).isEqualTo(30 - 126);
        }

        @Test
        void goesOnWithOtherFiguresIfItIsALogToo() {
            FleetUsage larger = usage(log(50, "PT10S"), 0, 0L).alone(Part.WHOLE, NOTHING, START);
            assertThat(larger.continuing(log, 4, START).left(START)).isEqualTo(50 - 8 - 4);
            assertThat(larger.continuing(usage(slots(5), 5), 4, START)).isSameAs(larger);
        }
    }

    @Nested
    class OfABucket {

        /** One token a second; four were taken. */
        private final FleetUsage used = taken(bucket(10, "PT10S", 10), 4);

        private FleetUsage taken(Limit limit, long tokens) {
            return usage(limit, 0).after(tokens, START);
        }

        @Test
        void comesBackWithTime() {
            assertThat(used.left(START)).isEqualTo(6);
            assertThat(used.left(START + 1_000)).isEqualTo(7);
            assertThat(used.millisUntil(8, START)).isEqualTo(2_000);
            assertThat(used.resetMillis(START)).isEqualTo(4_000);
        }

        @Test
        void knowsTheTurnsOfTheLastCalls() {
            SharedBucket.Usage queue = (SharedBucket.Usage) used;
            assertThat(queue.millisUntilTurn(1, START)).isEqualTo(3_000);
            assertThat(queue.millisUntilTurn(4, START)).isZero();
        }

        @Test
        void isTheSameForASingleInstance() {
            assertThat(used.alone(Part.WHOLE, NOTHING, START)).isSameAs(used);
        }

        @Test
        void leavesAtLeastOneToEachInstance() {
            FleetUsage unused = usage(bucket(10, "PT10S", 2), 0);
            assertThat(unused.alone(LAST, NOTHING, START).left(START)).isZero();
            assertThat(unused.alone(LAST_AT_LEAST_ONE, NOTHING, START).left(START))
                    .isEqualTo(1);
        }

        @Test
        void goesOnWithOtherFiguresIfItIsABucketToo() {
            FleetUsage larger = usage(bucket(20, "PT10S", 20), 0);
            assertThat(larger.continuing(used, 3, START).left(START)).isEqualTo(20 - 4 - 3);
            assertThat(larger.continuing(usage(slots(5), 5), 3, START)).isSameAs(larger);
        }

        @Test
        void needsTheTimesOfCallsUntilItIsFullEvenIfItWasOverdrawn() {
            assertThat(shared(bucket(30, "PT10S", 30)).useTimesKeptMillis()).isEqualTo(20_001);
        }
    }

    @Nested
    class OfSlots {

        @Test
        void mayComeBackAtAnyMoment() {
            FleetUsage used = usage(slots(9), 2);
            assertThat(used.left(START)).isEqualTo(7);
            assertThat(used.millisUntil(8, START)).isEqualTo(Pool.SOON_MILLIS);
            assertThat(used.resetMillis(START)).isEqualTo(Pool.SOON_MILLIS);
            assertThat(used.knownUntilMillis(START)).isZero();
        }

        @Test
        void isAllOfThemIfNoneIsInUse() {
            FleetUsage free = usage(slots(9), 0);
            assertThat(free.resetMillis(START)).isZero();
            assertThat(free.after(0, START).resetMillis(START)).isZero();
            assertThat(free.after(1, START).left(START)).isEqualTo(8);
            assertThat(free.after(1, START).resetMillis(START)).isEqualTo(Pool.SOON_MILLIS);
        }

        @Test
        void isDividedLessThoseOfCallsThatBeganBeforeTheLimitWasChanged() {
            OwnUse occupied = new OwnUse(List.of(), List.of(), 2);
            assertThat(usage(slots(9), 2).alone(FIRST, occupied, START).left(START))
                    .isEqualTo(3 - 2);
            assertThat(usage(slots(9), 0).alone(FIRST, NOTHING, START).resetMillis(START))
                    .isZero();
            assertThat(usage(slots(9), 0).alone(FIRST, occupied, START).resetMillis(START))
                    .isEqualTo(Pool.SOON_MILLIS);
        }

        @Test
        void doesNotGoOnSinceItComesBackWhenCallsEnd() {
            FleetUsage free = usage(slots(9), 0);
            assertThat(free.continuing(usage(slots(5), 5), 3, START)).isSameAs(free);
        }
    }
}
