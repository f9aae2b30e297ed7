package dev.sluice.servlet.reply;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NumberTextTest {

    @Test
    void everyNumberIsWrittenAsItIs() {
        for (long number : new long[] {0, 1, 1023, 1024, 999_999_999_999L}) {
            assertThat(NumberText.of(number)).isEqualTo(Long.toString(number));
            assertThat(NumberText.ofThreshold(number)).isEqualTo(Long.toString(number));
        }
    }

    @Test
    void thresholdsThatShareAPlaceAreNotTakenForEachOther() {
        List<Long> alike = List.of(1_000L, 1_000L + (1L << 20), 1_000L + (1L << 40), 1_000L ^ 1 ^ 1 << 10);
        for (int round = 0; round < 2; round++) {
            for (long number : alike) {
                assertThat(NumberText.ofThreshold(number)).isEqualTo(Long.toString(number));
            }
        }
    }

    @Test
    void aThresholdThatIsAskedForAgainIsTheSameText() {
        assertThat(NumberText.ofThreshold(1_000_000)).isSameAs(NumberText.ofThreshold(1_000_000));
    }
}
