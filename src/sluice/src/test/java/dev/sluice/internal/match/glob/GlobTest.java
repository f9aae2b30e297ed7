package dev.sluice.internal.match.glob;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobTest {

    @ParameterizedTest
    @CsvSource({
        "acme, acme, true",
        "acme, acm, false",
        "acme, a*, true",
        "acme, *e, true",
        "acme, a*m*e, true",
        "acme, a*e*m, false",
        "aba, ab*ba, false",
        "axxb, a*x*x*b, true",
        "axb, a*x*x*b, false",
        "ab, a*b*b, false",
        "abab, *ab*ab*, true",
        "aab, *ab*ab*, false",
        "'', *, true",
        "'', '', true",
        "'', a*, false"
    })
    void aStarStandsForAnyCharacters(String text, String written, boolean isLike) {
        assertThat(Glob.isLike(text, written)).isEqualTo(isLike);
    }
}
