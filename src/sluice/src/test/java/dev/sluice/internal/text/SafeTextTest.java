package dev.sluice.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SafeTextTest {

    @Test
    void escapesControlAndInvisibleCharacters() {
        assertThat(SafeText.of("a\u001b[2J\r\n\u202e\u2028\u200b\ud800\ue000é字😀"))
                .isEqualTo("a\\u001b[2J\\u000d\\u000a\\u202e\\u2028\\u200b\\ud800\\ue000é字😀");
    }

    @ParameterizedTest
    @CsvSource({"abcd, 4, abcd", "abcde, 4, abc…", "😀😀😀, 4, 😀…"})
    void isCutWithoutHalfACharacter(String text, int most, String shown) {
        assertThat(SafeText.cut(text, most)).startsWith(shown.replace("…", "")).hasSizeLessThanOrEqualTo(most);
    }

    @Test
    void endsWithAnEllipsis() {
        assertThat(SafeText.cut("abcde", 4)).isEqualTo("abc…");
        assertThat(SafeText.cut("a\u0007b", 7)).isEqualTo("a…");
        assertThat(SafeText.cut("a\u0007", 7)).isEqualTo("a\\u0007");
    }
}
