package dev.sluice.internal.match.path;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.sluice.Call;
import dev.sluice.Fuzz;
import dev.sluice.MutatedInputs;
import dev.sluice.TestCall;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a path looks like: it meets each pattern that any of its readings meets, and is read at once. */
class PathFuzzTest implements MutatedInputs {

    /** Tomcat and Jetty take no longer ones. */
    private static final int LONGEST_PATH = 8_192;

    private static final int MOST_PATTERNS = 20;
    /** Two for slashes, backslashes and parameters each; five of these; and each as the path of a file. */
    private static final int MOST_READINGS = 80;

    /** A path, and behind it patterns, one on each line. */
    static Stream<String> pathsAndPatterns() {
        return Fuzz.corpus("paths.txt");
    }

    static Stream<String> patterns() {
        return pathsAndPatterns().flatMap(text -> text.lines().skip(1)).distinct();
    }

    @MethodSource("patterns")
    @FuzzTest(maxDuration = "5m")
    void aPatternMatchesAPathOrSaysWhatIsWrong(@NotNull String input) {
        Fuzz.read(input, text -> {
            try {
                PathPattern pattern = PathPattern.parse(text);
                assertThat(pattern).hasToString(text);
                assertThat(found(pathFor(pattern), Set.of(pattern), true)).containsExactly(pattern);
            } catch (PathPatternException e) {
                assertThat(e.index()).isBetween(0, text.length());
                assertThat(e.getMessage()).isNotBlank();
            }
        });
    }

    /** A path such as the pattern was written for. */
    private static String pathFor(PathPattern pattern) {
        return pattern.toString().replaceAll("\\{[^}]*}", "x").replace("*", "x");
    }

    @MethodSource("pathsAndPatterns")
    @FuzzTest(maxDuration = "5m")
    void everyReadingThatMatchesCounts(@NotNull String input) {
        Fuzz.read(input, text -> {
            String path = path(text);
            Set<PathPattern> patterns = parsed(text);
            for (boolean caseSensitive : List.of(true, false)) {
                Set<PathPattern> expected = new HashSet<>();
                for (Call reading : CallReading.of(TestCall.get(path))) {
                    if (reading instanceof CallReading one && one.isWelcomeFile()) {
                        continue; // the limiter looks these up by themselves
                    }
                    for (PathPattern pattern : patterns) {
                        if (fits(reading, pattern, caseSensitive)) {
                            assertNamesItsVariables(reading, pattern, caseSensitive);
                            expected.add(pattern);
                        }
                    }
                }
                Set<PathPattern> found = found(path, patterns, caseSensitive);
                assertThat(found).isEqualTo(expected).isEqualTo(found(path, patterns, caseSensitive));
            }
        });
    }

    private static boolean fits(Call reading, PathPattern pattern, boolean caseSensitive) {
        if (reading instanceof CallReading) {
            return paths(pattern, caseSensitive).matches(reading);
        }
        String onlyReading = PathReadings.of(reading.path()).get(0);
        return pattern.matches(PathReadings.split(onlyReading), !caseSensitive);
    }

    private static EndpointPaths paths(PathPattern pattern, boolean caseSensitive) {
        return new EndpointPaths(List.of(pattern), List.of(), caseSensitive);
    }

    @MethodSource("pathsAndPatterns")
    @FuzzTest(maxDuration = "5m")
    void aCallIsExceptedOnlyIfEachReadingOfItsPathIs(@NotNull String input) {
        Fuzz.read(input, text -> {
            String path = path(text);
            List<PathPattern> patterns = List.copyOf(parsed(text));
            for (boolean caseSensitive : List.of(true, false)) {
                boolean each = PathReadings.of(path).stream()
                        .map(PathReadings::split)
                        .allMatch(reading ->
                                patterns.stream().anyMatch(pattern -> pattern.matches(reading, !caseSensitive)));
                EndpointPaths all = new EndpointPaths(List.of(PathPattern.parse("/**")), patterns, caseSensitive);
                assertThat(all.isExcepted(TestCall.get(path))).isEqualTo(each && !patterns.isEmpty());
            }
        });
    }

    @MethodSource("pathsAndPatterns")
    @FuzzTest(maxDuration = "5m")
    void patternsKnowWhichPathsTheyShare(@NotNull String input) {
        Fuzz.read(input, text -> {
            Set<PathPattern> patterns = parsed(text);
            for (String reading : PathReadings.of(path(text))) {
                List<String> segments = PathReadings.split(reading);
                for (PathPattern one : patterns) {
                    for (PathPattern other : patterns) {
                        boolean both = one.matches(segments, false) && other.matches(segments, false);
                        assertThat(both && !one.overlaps(other, false)).isFalse();
                        assertThat(other.matches(segments, false) && !both && one.covers(other, false))
                                .isFalse();
                        assertThat(one.overlaps(other, true)).isEqualTo(other.overlaps(one, true));
                    }
                    assertThat(one.covers(one, false)).isTrue();
                }
            }
        });
    }

    private static void assertNamesItsVariables(Call reading, PathPattern pattern, boolean caseSensitive) {
        for (String variable : pattern.variables()) {
            assertThat(paths(pattern, caseSensitive).capture(variable, reading))
                    .as(variable)
                    .isNotEmpty();
        }
    }

    @MethodSource("pathsAndPatterns")
    @FuzzTest(maxDuration = "5m")
    void aPathHasAFewReadingsAndTheSameEachTime(@NotNull String input) {
        Fuzz.read(input, text -> {
            String path = path(text);
            List<String> readings = PathReadings.of(path);
            assertThat(readings).isNotEmpty().hasSizeLessThanOrEqualTo(MOST_READINGS);
            assertThat(readings).doesNotHaveDuplicates().isEqualTo(PathReadings.of(path));
            for (String reading : readings) {
                assertThat(reading).startsWith("/").hasSizeLessThanOrEqualTo(path.length() + 1);
                assertThat(reading).doesNotContain("//").doesNotContain("\\");
            }
            if (PathReadings.isPlain(path)) {
                assertThat(readings).containsExactly(path);
            }
        });
    }

    @MethodSource("pathsAndPatterns")
    @FuzzTest(maxDuration = "5m")
    void aLongPathIsReadAtOnce(@NotNull String input) {
        Fuzz.read(input, text -> {
            String path = path(text);
            String longPath = path.repeat(LONGEST_PATH / 4 / Math.max(16, path.length()));
            assertThat(found(longPath, parsed(text), true)).isNotNull();
        });
    }

    private static String path(String text) {
        int end = text.indexOf('\n');
        String path = end < 0 ? text : text.substring(0, end);
        return path.substring(0, Math.min(path.length(), LONGEST_PATH));
    }

    private static Set<PathPattern> parsed(String text) {
        Set<String> distinct = new LinkedHashSet<>(List.of(text.split("\n", MOST_PATTERNS)));
        distinct.removeIf(line -> !isPattern(line));
        Set<PathPattern> patterns = new LinkedHashSet<>();
        distinct.forEach(line -> patterns.add(PathPattern.parse(line)));
        return patterns;
    }

    private static boolean isPattern(String text) {
        try {
            return PathPattern.parse(text).toString().equals(text);
        } catch (PathPatternException e) {
            return false;
        }
    }

    private static Set<PathPattern> found(String path, Set<PathPattern> patterns, boolean caseSensitive) {
        EndpointTable.Builder<Set<PathPattern>> builder =
                new EndpointTable.Builder<>(caseSensitive, PathFuzzTest::union);
        patterns.forEach(pattern -> builder.add(List.of(pattern), Set.of(), method -> Set.of(pattern)));
        @Nullable Set<PathPattern> found = builder.build().match("GET", path);
        return found == null ? Set.of() : found;
    }

    private static Set<PathPattern> union(Set<PathPattern> some, Set<PathPattern> others) {
        Set<PathPattern> all = new HashSet<>(some);
        all.addAll(others);
        return all;
    }
}
