package dev.sluice.servlet.reply;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumberTextTest {

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 1, 1023, 1024, 999_999_999_999L})
    void everyNumberIsWrittenAsItIs(long number) {
        assertThat(NumberText.of(number)).isEqualTo(Long.toString(number));
    }
}
