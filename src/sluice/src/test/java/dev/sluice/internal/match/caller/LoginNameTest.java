package dev.sluice.internal.match.caller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.TestCall;
import dev.sluice.limits.SubjectSource;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoginNameTest {

    private final SubjectSource source = LoginName.source(SecretDigest.keyed("a key of sixteen characters"));

    private String key(String tried) {
        return SubjectKey.in(source, TestCall.post("/login").with("login", tried));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ann@example.org",
                "Ann@Example.ORG",
                " ann@example.org\t",
                "\u00A0ann@example.org\u3000",
                "\uFF41nn@example.org",
                "\u200Bann@exam\u00ADple.org\uFEFF",
                "ann@example.org\u0000",
                "ann\uFF20example.org",
                "ann@example\uFE0F.org",
                "\u1D43nn@example.org"
            })
    void spellingsOfOneNameHaveOneKey(String spelling) {
        assertThat(key(spelling)).isEqualTo(key("ann@example.org"));
    }

    @ParameterizedTest
    @CsvSource({"stra\u00DFe, STRASSE", "o\u0308de, \u00D6DE", "\u0130x, i\u0307X", "\u03C3\u03C2, \u03A3\u03A3"})
    void foldsCaseAsUnicodeDoes(String one, String other) {
        assertThat(key(one)).isEqualTo(key(other));
    }

    @ParameterizedTest
    @ValueSource(strings = {"anne", "an n", "\u00E4nn", "ann.", "ann+1"})
    void otherNamesHaveOtherKeys(String other) {
        assertThat(key(other)).isNotEqualTo(key("ann"));
    }

    @Test
    void normalisingAgainChangesNothing() {
        Stream.of("\u1E9E\u0345", "\u0390 \u1FD3", "\uFDFA", "\u0130\u0131", "\u01C5 ", "\u00A8", "\u2126\u212A")
                .forEach(name -> assertThat(LoginName.normalised(LoginName.normalised(name)))
                        .isEqualTo(LoginName.normalised(name)));
    }

    @Test
    void aKeyHidesTheName() {
        assertThat(key("ann")).startsWith("#").hasSize(23).doesNotContain("ann");
        assertThat(source.name()).isEqualTo("hash(login)");
        assertThat(source.isTrusted()).isFalse();
    }

    @Test
    void noNameIsNone() {
        assertThat(key(" \u200B ")).isEmpty();
        assertThat(SubjectKey.in(source, TestCall.post("/login"))).isEmpty();
    }

    @Test
    void aNameThatAPersonWritesHasTheSameKey() {
        assertThat(SubjectKey.of(List.of(source), " ANN ")).isEqualTo(key("ann"));
    }

    /** Bringing marks into Unicode's order may take quadratic time. */
    @Test
    @Timeout(10)
    void longNamesCostLittle() {
        String marks = "a" + "\u0316\u0301".repeat(500_000);
        long start = System.nanoTime();
        assertThat(key(marks)).hasSize(23);
        assertThat(key("ann" + "\u200B".repeat(1_000_000) + " ".repeat(1_000_000)))
                .isEqualTo(key("ann"));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    }
}
