package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.LimitsException.Problem;
import dev.sluice.internal.config.source.ConfigLocation;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.limits.ConfigSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The pages about the file are correct. */
@Tag("docs")
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
        void haveARowEachAndNoOthers() throws IOException {
            assertThat(all("^\\| \\[?(SL-\\d+)", page("errors.md"))).isEqualTo(codes());
        }

        @Test
        void haveASectionIfTheRowLeadsThere() throws IOException {
            assertThat(all("^## (SL-\\d+)$", page("errors.md")))
                    .isEqualTo(all("^\\| \\[(SL-\\d+)]", page("errors.md")))
                    .isNotEmpty();
        }

        @Test
        void areSaidToBeWarningsIfTheyAre() throws IOException {
            Set<String> warnings = Arrays.stream(ProblemCode.values())
                    .filter(code -> code.severity() == Problem.Severity.WARNING)
                    .map(ProblemCode::text)
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(new TreeSet<>(all("^\\| \\[?(SL-\\d+)[^|]*\\| warning:", page("errors.md"))))
                    .isEqualTo(warnings);
        }

        @Test
        void areEachProducedByABadFileOrByWhatNoSmallFileCanShow() throws IOException {
            Stream<ConfigSource> others = Stream.of(
                    ConfigLocation.source("no-such-file.yml"),
                    new GivenFile("a: \u0007"),
                    new GivenFile("- {}\n".repeat(200)),
                    new GivenFile(twins(150)));
            assertThat(Stream.concat(
                                    BadConfigTest.allProblems().stream(),
                                    others.flatMap(source -> BadConfigTest.problems(source).stream()))
                            .map(Problem::code))
                    .containsAll(codes());
        }

        /** Also in a sentence or a range. */
        @Test
        void areNamedNowhereUnlessTheyExist() throws IOException {
            try (Stream<Path> pages = Files.walk(Path.of("docs"))) {
                for (Path page :
                        pages.filter(file -> file.toString().endsWith(".md")).toList()) {
                    assertThat(codes()).as("%s", page).containsAll(all("(SL-\\d+)", Files.readString(page)));
                }
            }
        }

        /** Endpoints that differ only in their ids. */
        private static String twins(int number) {
            return IntStream.range(0, number)
                    .mapToObj(i -> GivenFile.SMALLEST.replace("get-product", "product-" + i))
                    .collect(Collectors.joining());
        }

        private List<String> codes() {
            return Arrays.stream(ProblemCode.values()).map(ProblemCode::text).toList();
        }
    }

    @Nested
    class Reference {

        /** A table of keys. */
        private static final String KEYS = "^\\| Key \\| Default \\| \\|\n((?:\\|[^\n]*\n)+)";

        private static final Map<String, String> PARTS = Map.of(
                "Keys of the file", "",
                "Keys of the file, for later", "",
                "Keys of a client", "clients[].",
                "Keys of an endpoint", "endpoints[].",
                "Keys of a tier", "endpoints[].tiers[].",
                "Keys of a tier, for later", "endpoints[].tiers[].");

        @Test
        void explainsEachKeyAndNoOthers() throws IOException {
            assertThat(explanations().keySet()).isEqualTo(Schema.vocabulary());
        }

        @Test
        void tellsTheDefaultsThatTheSchemaTells() throws IOException {
            Map<String, String> told = found("\\A`[^`]+` \\| `([^`]+)` \\|");
            told.replaceAll((key, value) ->
                    Schema.json("default: " + value).get("default").toString());
            Map<String, String> expected = new TreeMap<>();
            Schema.defaults().forEach((key, value) -> expected.put(key, value.toString()));
            assertThat(told).isEqualTo(expected);
        }

        @Test
        void tellsTheBoundsThatTheSchemaTells() throws IOException {
            Map<String, String> told = found("[Ff]rom (`?[0-9][0-9a-z.]*`? to `?[0-9]+[a-z]*)");
            told.replaceAll((key, bounds) -> bounds.replace("`", ""));
            assertThat(told).isEqualTo(Schema.bounds());
        }

        /** For each key, the first match of the pattern in its explanation. */
        private static Map<String, String> found(String pattern) throws IOException {
            Map<String, String> found = new TreeMap<>();
            explanations()
                    .forEach((key, text) ->
                            all(pattern, text).stream().limit(1).forEach(first -> found.put(key, first)));
            return found;
        }

        /** For each key, its row, its section without the rows of other keys, or both; each begins with the key. */
        private static Map<String, String> explanations() throws IOException {
            Map<String, String> explanations = new TreeMap<>();
            for (String part : all("^## (.*?)(?=^## |\\z)", page("rate-limits-yml.md"))) {
                String prefix = PARTS.get(part.substring(0, part.indexOf('\n')));
                if (prefix != null) {
                    Stream.concat(
                                    all(KEYS, part).stream()
                                            .flatMap(rows -> all("^\\| \\[?(`[^\n]*)", rows).stream())
                                            .map(row -> row.replaceFirst("]\\([^)]*\\)", "")),
                                    all("^### (`.*?)(?=^### |\\z)", part.replaceAll("(?ms)" + KEYS, "")).stream())
                            .forEach(text -> explanations.merge(
                                    prefix + text.substring(1, text.indexOf('`', 1)),
                                    text,
                                    (row, section) -> row + "\n" + section));
                }
            }
            return explanations;
        }
    }
}
