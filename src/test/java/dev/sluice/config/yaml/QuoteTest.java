package dev.sluice.config.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuoteTest {

    @Test
    void isShortAndOnOneLine() {
        assertThat(Quote.of("a\nb\u0000")).isEqualTo("\"a\\u000ab\\u0000\"");
        assertThat(Quote.of("x".repeat(61))).isEqualTo("\"" + "x".repeat(60) + "…\"");
        assertThat(Quote.of("x".repeat(60))).isEqualTo("\"" + "x".repeat(60) + "\"");
    }

    /** Found by Jazzer: six characters stand for one that is escaped, and only those of the text were counted. */
    @Test
    void isNoLongerForWhatIsEscaped() {
        assertThat(Quote.of("\u0001".repeat(60))).isEqualTo("\"" + "\\u0001".repeat(10) + "…\"");
        assertThat(Quote.line("\u0001".repeat(600))).hasSizeLessThan(510);
    }

    @ParameterizedTest
    @CsvSource({
        "redis://:pw@host:6379/0, redis://***@host:6379/0",
        "redis://user:p@ss/w@host, redis://***@host",
        "mongodb://u:p w@h, mongodb://***@h",
        "redis://host/0, redis://host/0",
        "someone@example.com, someone@example.com"
    })
    void showsNoPassword(String uri, String shown) {
        assertThat(Quote.plain(uri)).isEqualTo(shown);
    }
}
