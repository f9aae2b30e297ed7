package dev.sluice.internal.limiter.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tier.Limit;
import java.time.Duration;
import net.jqwik.api.Example;

/** A sliding window of four frames, of which an estimate reads five. */
class FourFramesTest extends SlidingWindowTest {

    @Override
    public Limit limit(long threshold, Duration period) {
        return new Limit.SlidingWindow(threshold, period, 4);
    }

    /**
     * Ten calls in each of five quarters of a minute, and a third of the sixth has gone: 10 × 2/3 + 10 + 10 + 10 + 3 =
     * 39.67, so 40.
     */
    @Example
    void readsFiveFrames() {
        try (Tested tested = Tested.of(limit(100, MINUTE))) {
            for (int frame = 0; frame < 5; frame++) {
                tested.at(START + frame * 15_000L);
                assertThat(tested.exhaust(10)).isEqualTo(10);
            }
            tested.at(START + 80_000);
            assertThat(tested.exhaust(3)).isEqualTo(3);
            assertThat(tested.call(0).remaining()).isEqualTo(100 - 40);
        }
    }
}
