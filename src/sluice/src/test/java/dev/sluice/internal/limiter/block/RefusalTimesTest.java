package dev.sluice.internal.limiter.block;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When refusals are enough for a block. */
class RefusalTimesTest {

    private static final long MINUTE = 60_000;

    private final RefusalTimes times = new RefusalTimes(3);
    private long nowMillis;

    @Test
    void enoughRefusalsWithinTheTimeBegin() {
        assertThat(times.add(1_000, MINUTE)).isFalse();
        assertThat(times.add(3_000, MINUTE)).isFalse();
        assertThat(times.add(2_000, MINUTE)).as("threads may be late").isTrue();
        assertThat(times.add(4_000, MINUTE)).as("it begins anew").isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 19, 20, 21, 25, 399, 400, 401, 1_000})
    void keepsFewTimesAndBeginsBlocksInTime(int after) {
        RefusalTimes many = new RefusalTimes(after);
        assertThat(many.timesKept()).isLessThanOrEqualTo(20);
        assertThat(refusalsUntilEnough(many, 1)).isEqualTo(after);
        assertThat(refusalsUntilEnough(many, 1)).isEqualTo(after);
    }

    /** First they come too slowly. */
    @ParameterizedTest
    @ValueSource(ints = {2, 20, 25, 401, 1_000})
    void aBlockBeginsAtMostATwentiethLate(int after) {
        for (int slow = 0; slow < 50; slow++) {
            RefusalTimes many = new RefusalTimes(after);
            for (int i = 0; i < after + slow; i++) {
                assertThat(many.add(i * MINUTE, MINUTE)).isFalse();
            }
            nowMillis = 2 * MINUTE * (after + slow);
            assertThat(refusalsUntilEnough(many, 1)).isBetween(after, after + (after - 1) / 20);
        }
    }

    private int refusalsUntilEnough(RefusalTimes many, long eachMillis) {
        int count = 1;
        for (; !many.add(nowMillis, MINUTE); count++) {
            nowMillis += eachMillis;
        }
        return count;
    }

    @Test
    void oldRefusalsDoNotCountAfterAClockStepBack() {
        long hour = 60 * MINUTE;
        assertThat(times.add(10 * hour, MINUTE)).isFalse();
        assertThat(times.add(11 * hour, MINUTE)).isFalse();
        assertThat(times.add(hour, MINUTE)).isFalse();
        assertThat(times.add(hour + 1, MINUTE)).isFalse();
        assertThat(times.add(hour + 2, MINUTE)).isTrue();
    }
}
