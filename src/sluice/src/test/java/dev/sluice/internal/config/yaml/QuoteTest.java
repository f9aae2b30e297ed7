package dev.sluice.internal.config.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuoteTest {

    @Test
    void isShortAndOnOneLine() {
        assertThat(Quote.of("a\nb\u0000")).isEqualTo("\"a\\u000ab\\u0000\"");
        assertThat(Quote.of("x".repeat(61))).isEqualTo("\"" + "x".repeat(59) + "…\"");
        assertThat(Quote.of("x".repeat(60))).isEqualTo("\"" + "x".repeat(60) + "\"");
    }

    /** Found by Jazzer: an escaped character takes six, and only those of the text were counted. */
    @Test
    void isNoLongerForWhatIsEscaped() {
        assertThat(Quote.of("\u0001".repeat(60))).isEqualTo("\"" + "\\u0001".repeat(9) + "…\"");
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

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "redis://h:1 sent no usable reply: WRONGTYPE script: f1, on @user_script:16. ; redis://h:1 sent no usable reply: WRONGTYPE script: f1, on @user_script:16.",
                "no redis://u:pw@h and no redis://u:p@ss/w@h:1 either; no redis://***@h and no redis://***@h:1 either",
                "ask eve@ops // or bob@ops; ask eve@ops // or bob@ops"
            })
    void hidesThePasswordInASentenceAndNothingElse(String sentence, String shown) {
        assertThat(Quote.line(sentence)).isEqualTo(shown);
    }

    @Test
    void isQuickHoweverManySlashesASentenceHas() {
        assertTimeout(Duration.ofSeconds(5), () -> Quote.line("/".repeat(300_000)));
    }
}
