package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages about the file say what is true. */
class DocumentationTest {

    private static String page(String name) throws IOException {
        return Files.readString(Path.of("docs", name));
    }

    private static List<String> all(String pattern, String text) {
        Matcher matcher =
                Pattern.compile(pattern, Pattern.MULTILINE | Pattern.DOTALL).matcher(text);
        return matcher.results().map(result -> result.group(1)).toList();
    }

    @Nested
    class Errors {

        @Test
        void haveASectionEachAndNoOthers() throws IOException {
            assertThat(all("^## (SL-\\d+)$", page("errors.md"))).isEqualTo(codes());
        }

        @Test
        void areListedAtTheTop() throws IOException {
            assertThat(all("^\\| \\[(SL-\\d+)]", page("errors.md"))).isEqualTo(codes());
        }

        @Test
        void areSaidToBeWarningsIfTheyAre() throws IOException {
            Set<String> warnings = Arrays.stream(Code.values())
                    .filter(code -> code.severity() == dev.sluice.Problem.Severity.WARNING)
                    .map(Code::text)
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(new TreeSet<>(all("^\\| \\[(SL-\\d+)][^|]*\\| warning:", page("errors.md"))))
                    .isEqualTo(warnings);
        }

        @Test
        void areEachShownByABadFileOrATestOfHostileInput() throws IOException {
            Set<String> shown = new TreeSet<>(Set.of("SL-101", "SL-115", "SL-198", "SL-199"));
            try (Stream<Path> files = Files.list(Path.of("src/test/resources/bad-config"))) {
                for (Path file : files.toList()) {
                    shown.addAll(all(
                            "^# expect: .*\\[(SL-\\d+)]$",
                            Files.readString(file).replace('\r', ' ')));
                    Files.readAllLines(file).forEach(line -> shown.addAll(all("^# expect: .*\\[(SL-\\d+)]$", line)));
                }
            }
            assertThat(shown).containsAll(codes());
        }

        private List<String> codes() {
            return Arrays.stream(Code.values()).map(Code::text).toList();
        }
    }

    @Nested
    class Reference {

        @Test
        void explainsEachKeyAndNoOthers() throws IOException {
            List<String> parts = all("^## (.*?)(?=^## |\\z)", page("rate-limits-yml.md"));
            Set<String> explained = new TreeSet<>();
            for (String part : parts) {
                String prefix = part.startsWith("Keys of the file")
                        ? ""
                        : part.startsWith("Keys of a client")
                                ? "clients[]."
                                : part.startsWith("Keys of an endpoint")
                                        ? "endpoints[]."
                                        : part.startsWith("Keys of a tier") ? "endpoints[].tiers[]." : null;
                if (prefix != null) {
                    all("^### `([A-Za-z0-9]+)`", part).forEach(key -> explained.add(prefix + key));
                    all("^(?:\\| )?`([a-z]+\\.[A-Za-z]+)`", part).forEach(key -> explained.add(prefix + key));
                }
            }
            assertThat(explained).isEqualTo(Schema.vocabulary());
        }

        static Stream<String> snippets() throws IOException {
            return all("^```yaml\n(.*?)^```", page("rate-limits-yml.md")).stream();
        }

        @ParameterizedTest
        @MethodSource("snippets")
        void showsFilesThatLoadWithoutAWarning(String snippet) {
            assertThat(new GivenFile(snippet).problems()).isEmpty();
            assertThat(Schema.problems(snippet)).isEmpty();
        }
    }

    @Nested
    class Recipes {

        private static final int MOST_LINES = 10;

        static Stream<String> snippets() throws IOException {
            return all("^```yaml\n(.*?)^```", page("recipes.md")).stream();
        }

        @ParameterizedTest
        @MethodSource("snippets")
        void areShortFilesThatLoadWithoutAWarning(String snippet) {
            assertThat(new GivenFile(snippet).problems()).isEmpty();
            assertThat(Schema.problems(snippet)).isEmpty();
            assertThat(snippet.lines().count()).isLessThanOrEqualTo(MOST_LINES);
        }

        @Test
        void areOneForEachWish() throws IOException {
            assertThat(snippets().count())
                    .isEqualTo(all("^## (.*?)$", page("recipes.md")).size());
        }
    }
}
