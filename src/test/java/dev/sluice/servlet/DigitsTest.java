package dev.sluice.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DigitsTest {

    @Test
    void everyNumberIsWrittenAsItIs() {
        for (long number : new long[] {0, 1, 1023, 1024, 999_999_999_999L}) {
            assertThat(Digits.of(number)).isEqualTo(Long.toString(number));
            assertThat(Digits.ofThreshold(number)).isEqualTo(Long.toString(number));
        }
    }

    @Test
    void thresholdsThatShareAPlaceAreNotTakenForEachOther() {
        List<Long> alike = List.of(1_000L, 1_000L + (1L << 20), 1_000L + (1L << 40), 1_000L ^ 1 ^ 1 << 10);
        for (int round = 0; round < 2; round++) {
            for (long number : alike) {
                assertThat(Digits.ofThreshold(number)).isEqualTo(Long.toString(number));
            }
        }
    }

    @Test
    void aThresholdThatIsAskedForAgainIsTheSameText() {
        assertThat(Digits.ofThreshold(1_000_000)).isSameAs(Digits.ofThreshold(1_000_000));
    }
}
