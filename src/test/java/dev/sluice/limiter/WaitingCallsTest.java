package dev.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Batch.Need;
import org.junit.jupiter.api.Test;

class WaitingCallsTest {

    private final WaitingCalls waiting = new WaitingCalls();

    @Test
    void addsUpWhatTheyNeedAndKnowsTheLeast() {
        waiting.add(3, true);
        waiting.add(2, true);
        waiting.add(2, true);
        assertThat(waiting.lacking(0)).isEqualTo(new Need(7, 2, true));
        waiting.remove(2, true);
        assertThat(waiting.lacking(0)).isEqualTo(new Need(5, 2, true));
        waiting.remove(2, true);
        assertThat(waiting.lacking(0)).isEqualTo(new Need(3, 3, true));
    }

    @Test
    void whatIsInHandIsNotLacking() {
        waiting.add(3, true);
        waiting.add(2, true);
        assertThat(waiting.lacking(1)).isEqualTo(new Need(4, 1, true));
        assertThat(waiting.lacking(4)).isEqualTo(new Need(1, 1, true));
        assertThat(waiting.lacking(5)).isEqualTo(Need.NONE);
    }

    @Test
    void isEmptyWhenNoneWaits() {
        assertThat(waiting.isEmpty()).isTrue();
        waiting.add(1, true);
        assertThat(waiting.isEmpty()).isFalse();
        waiting.remove(1, true);
        assertThat(waiting.isEmpty()).isTrue();
        assertThat(waiting.lacking(0)).isEqualTo(Need.NONE);
    }

    @Test
    void knowsWhetherAllPassWithWhatTheyLack() {
        waiting.add(1, true);
        waiting.add(1, false);
        assertThat(waiting.lacking(0).isUsedAtOnce()).isFalse();
        waiting.remove(1, false);
        assertThat(waiting.lacking(0).isUsedAtOnce()).isTrue();
    }
}
