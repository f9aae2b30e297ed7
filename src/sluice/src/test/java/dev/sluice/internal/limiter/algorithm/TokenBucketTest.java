package dev.sluice.internal.limiter.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tier.Limit;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class TokenBucketTest extends AlgorithmContract {

    @Override
    public Limit limit(long threshold, Duration period) {
        return new Limit.TokenBucket(threshold, period, threshold);
    }

    @Override
    public LimitModel books(Limit limit) {
        return new LevelBooks(limit, limit.capacity());
    }

    @Override
    public void checkSpans(Limit limit, List<Admitted> admitted) {
        checkFlow(limit, limit.capacity(), admitted);
    }

    /** In each span no more passes than the bucket held, and what flowed in meanwhile. */
    static void checkFlow(Limit limit, long burst, List<Admitted> admitted) {
        for (int first = 0; first < admitted.size(); first++) {
            long sum = 0;
            for (Admitted last : admitted.subList(first, admitted.size())) {
                sum += last.cost();
                long flowed = (last.atMillis() - admitted.get(first).atMillis()) * limit.threshold();
                assertThat((sum - burst) * periodOf(limit)).isLessThanOrEqualTo(flowed);
            }
        }
    }

    /**
     * A bucket as people draw it: a level, in parts of tokens so small that a millisecond lets a whole number of them
     * in.
     */
    static final class LevelBooks implements LimitModel {

        private final long each;
        private final long aMilli;
        private final long most;
        private long level;
        private long atMillis;

        LevelBooks(Limit limit, long burst) {
            this.each = periodOf(limit);
            this.aMilli = limit.threshold();
            this.most = burst * each;
            this.level = most;
        }

        @Override
        public long left(long nowMillis) {
            level = Math.min(most, level + Math.min(most, (nowMillis - atMillis) * aMilli));
            atMillis = nowMillis;
            return level / each;
        }

        @Override
        public void note(long nowMillis, long cost) {
            level -= cost * each;
        }
    }

    @Example
    void admitsABurstAndThenItsRate() {
        try (Tested tested = Tested.of(new Limit.TokenBucket(60, MINUTE, 5))) {
            assertThat(tested.exhaust(100)).isEqualTo(5);
            tested.clock.advance(Duration.ofMillis(999));
            assertThat(tested.exhaust(100)).isZero();
            tested.clock.advance(Duration.ofMillis(1));
            assertThat(tested.exhaust(100)).isEqualTo(1);
            tested.clock.advance(MINUTE);
            assertThat(tested.exhaust(100)).isEqualTo(5);
        }
    }

    /** Three tokens a second are one every 333⅓ ms; no part of one is lost. */
    @Example
    void keepsPartsOfTokens() {
        try (Tested tested = Tested.of(new Limit.TokenBucket(3, Duration.ofSeconds(1), 1))) {
            long passed = 0;
            for (int second = 0; second < 1_000; second++) {
                for (int millis = 0; millis < 1_000; millis += 50) {
                    tested.at(START + second * 1_000L + millis);
                    passed += tested.exhaust(1);
                }
            }
            assertThat(passed).isBetween(2_857L, 3_000L); // every 350 ms at the slowest, by the steps of this clock
        }
    }

    /** The finest units of time that there are. */
    @Property(tries = 50)
    void supportsFastRatesThatDoNotDivide(@ForAll @LongRange(min = 0, max = 315_532_800_000L) long later) {
        Limit limit = new Limit.TokenBucket(999_983, Duration.ofMillis(1_009), 999);
        try (Tested tested = Tested.of(limit)) {
            tested.at(START + later);
            assertThat(tested.exhaust(2_000)).isEqualTo(999);
            tested.clock.advance(Duration.ofMillis(1));
            assertThat(tested.exhaust(2_000)).isEqualTo(991); // 991.06 flow in
            tested.clock.advance(Duration.ofDays(400));
            assertThat(tested.exhaust(2_000)).isEqualTo(999);
        }
    }
}
