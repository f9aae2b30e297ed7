package dev.sluice.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeTextTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0s",
        "1, 1s",
        "1000, 1s",
        "59001, 1m",
        "61000, 1m 1s",
        "3600000, 1h",
        "7140000, 1h 59m",
        "90000000, 1d 1h",
        "9223372036854775807, 10000d",
        "-5, 0s"
    })
    void spansHaveTwoUnits(long millis, String text) {
        assertThat(TimeText.span(millis)).isEqualTo(text);
    }
}
