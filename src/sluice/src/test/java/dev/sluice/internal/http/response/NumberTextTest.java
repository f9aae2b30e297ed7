package dev.sluice.internal.http.response;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumberTextTest {

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1_023, 1_024, 1_025, 2_047, 1_000_000, Long.MAX_VALUE, -1, Long.MIN_VALUE})
    void aNumberIsWrittenInItsDigits(long number) {
        assertThat(NumberText.of(number)).isEqualTo(Long.toString(number));
        assertThat(NumberText.ofThreshold(number)).isEqualTo(Long.toString(number));
    }

    @ParameterizedTest
    @ValueSource(longs = {1_024, 5_000_000_000L})
    void thresholdsInTheSameSlotDoNotMixUp(long from) {
        LongStream.range(from, from + 5_000)
                .forEach(number -> assertThat(NumberText.ofThreshold(number)).isEqualTo(Long.toString(number)));
        assertThat(NumberText.ofThreshold(from)).isEqualTo(Long.toString(from));
    }

    @ParameterizedTest
    @ValueSource(longs = {5, 100_000})
    void aThresholdUsedAgainAllocatesNothing(long threshold) {
        assertThat(NumberText.ofThreshold(threshold)).isSameAs(NumberText.ofThreshold(threshold));
    }
}
