package dev.sluice.internal.match.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathPatternTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    product     | 0 | a pattern must start with a slash; write "/product"
                    ^/a/[0-9]+$ | 0 | a pattern must start with a slash; write "/a/*"
                    ^/b/[^/]+/c | 0 | write "/b/*/c"
                    ^/v\\d+/.*$  | 0 | write "/v*/**"
                    ^a$         | 0 | write "/a"
                    /a//b       | 3 | "//" can never match
                    /a/         | 2 | remove the trailing slash
                    /a/../b     | 3 | ".." can never match
                    /a/x**      | 4 | "**" must be a whole segment
                    /a/{id}x    | 3 | a variable must be a whole segment
                    /a/{}       | 3 | a variable must be a whole segment with a simple name, such as "{id}"
                    /a/{b:.+}   | 3 | a variable must be a whole segment with a simple name, such as "{b}"
                    /a/{1 2}    | 3 | a variable must be a whole segment
                    /a/{        | 3 | a variable must be a whole segment
                    /{x}/{x}    | 5 | the variable {x} occurs twice
                    /a?b        | 2 | cannot contain "?"
                    /a;b        | 2 | cannot contain ";"
                    /a%20b      | 2 | write the character itself
                    """)
    void aPatternThatCannotMatchSaysSoAndWhere(String pattern, int index, String sentence) {
        assertThatThrownBy(() -> PathPattern.parse(pattern))
                .isInstanceOfSatisfying(
                        PathPatternException.class, e -> assertThat(e.index()).isEqualTo(index))
                .hasMessageContaining(sentence);
    }

    @Test
    void hasAtMostSixtyFourSegments() {
        String most = "/a".repeat(64);
        assertThat(PathPattern.parse(most)).hasToString(most);
        assertThatThrownBy(() -> PathPattern.parse(most + "/a")).isInstanceOf(PathPatternException.class);
    }

    @Test
    void knowsItsVariables() {
        assertThat(PathPattern.parse("/{tenant}/orders/{id}/*").variables()).containsExactlyInAnyOrder("tenant", "id");
    }

    @Test
    void matchesAPathInAnyReading() {
        PathPattern pattern = PathPattern.parse("/orders/*/items");
        assertThat(pattern.matches("/orders/7/items", false)).isTrue();
        assertThat(pattern.matches("/orders%2f7/items", false)).isTrue();
        assertThat(pattern.matches("/Orders/7/items", false)).isFalse();
        assertThat(pattern.matches("/Orders/7/items", true)).isTrue();
        assertThat(pattern.matches("/orders/7", false)).isFalse();
    }

    @Nested
    class Captures {

        @Test
        void theSegmentThatAVariableStandsFor() {
            assertThat(capture("/orders/{id}/items", "/orders/7/items")).isEqualTo("7");
            assertThat(capture("/**/{id}/end", "/a/b/7/end")).isEqualTo("7");
            assertThat(capture("/{id}/**", "/7/b/c")).isEqualTo("7");
        }

        @Test
        void theDecodedSegment() {
            assertThat(capture("/orders/{id}", "/orders/%37;v=1")).isEqualTo("7");
            assertThat(capture("/orders/{id}", "/orders/a%2Fb")).isEqualTo("a/b");
        }

        @Test
        void digitsOfOtherScriptsEncodeNothing() {
            assertThat(capture("/orders/{id}", "/orders/%\uff13\uff17")).isEqualTo("%\uff13\uff17");
        }

        @Test
        void nothingWhereThePathDoesNotMatch() {
            assertThat(capture("/orders/{id}", "/order/7")).isNull();
        }

        @Test
        void inTimeThatGrowsWithThePath() {
            PathPattern pattern = PathPattern.parse("/**/a/**/a/**/a/{id}/b");
            Assertions.assertTimeoutPreemptively(
                    Duration.ofSeconds(5), () -> pattern.capture("id", "/a".repeat(100_000), false));
        }

        private String capture(String pattern, String path) {
            return PathPattern.parse(pattern).capture("id", path, false);
        }
    }
}
