package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tier.Limit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The recipes of CONTRIBUTING name every file that has to be changed, and only files that exist, and it says when to run
 * each test. It, design and glossary name only types and members that exist. The runbook names all loggers.
 */
class RecipesTest {

    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w+|[\\w.-]+\\.(?:java|json|lua|txt|md|xml))`");
    private static final Pattern JAVA_NAME = Pattern.compile("`([A-Z][a-z]\\w+)(?:\\.(\\w+))?`");
    private static final Pattern LOGGER = Pattern.compile("getLogger\\((?:(\\w+)\\.class|\"([\\w.]+)\")\\)");
    private static final Set<String> TYPES_OF_THE_JDK = Set.of("ConcurrentHashMap", "CompletableFuture");
    private static final Path MAIN = Path.of("src/main");

    @ParameterizedTest
    @ValueSource(strings = {"Add an algorithm", "Add a key of a tier", "Add a store", "Add a source of identity"})
    void namesNoFileThatIsNotThere(String recipe) {
        Set<String> files = Stream.of("src", ".")
                .flatMap(folder -> files(Path.of(folder), folder.equals(".") ? 1 : Integer.MAX_VALUE))
                .map(path -> path.getFileName().toString().replace(".java", ""))
                .collect(Collectors.toSet());

        assertThat(names(recipe)).hasSizeGreaterThan(5).isSubsetOf(files);
    }

    /** Files with a case for each algorithm, or for a limit of one algorithm. */
    @Test
    void anAlgorithmIsAskedForInTheseFiles() {
        String algorithms = Stream.of(Limit.class.getPermittedSubclasses())
                .map(Class::getSimpleName)
                .collect(Collectors.joining("|", "Limit\\.(", ")"));
        Pattern asks = Pattern.compile(
                "Limit\\.Cases<|case TOKEN_BUCKET|instanceof " + algorithms + "\\b|[(,]\\s*" + algorithms + " \\w");
        assertThat(names("Add an algorithm"))
                .containsAll(javaFiles(text -> asks.matcher(text).find()));
    }

    /** A new algorithm would silently take the other branch. {@code TierChecks} falls back on a bound for all algorithms. */
    @Test
    void noFileAsksForAnAlgorithmByInstanceof() {
        assertThat(javaFiles(text -> text.contains("instanceof Limit."))).containsExactly("TierChecks");
    }

    @Test
    void aStoreIsChosenInTheseFiles() {
        assertThat(names("Add a store"))
                .containsAll(javaFiles(text -> Pattern.compile("\\bRedis(CounterStore|OverrideStore)\\b[.(]")
                                .matcher(text)
                                .find()
                        && !text.contains("class Redis")));
    }

    @Test
    void aSourceOfIdentityIsReadInTheseFiles() {
        assertThat(names("Add a source of identity"))
                .containsAll(javaFiles(text -> text.contains(" cookie(String") || text.contains("\"cookie\"")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/glossary.md", "docs/design.md", "CONTRIBUTING.md"})
    void aPageNamesOnlyWhatIsInTheCode(String page) {
        Map<String, String> textByType = textByType();
        List<MatchResult> names = JAVA_NAME
                .matcher(read(Path.of(page)))
                .results()
                .filter(name -> !TYPES_OF_THE_JDK.contains(name.group(1)))
                .toList();

        assertThat(names).hasSizeGreaterThan(30);
        assertThat(names.stream()
                        .filter(name -> !isInTheCode(name.group(1), name.group(2), textByType))
                        .map(MatchResult::group))
                .isEmpty();
    }

    @Test
    void aNameThatIsThePartOfAnotherIsNotInTheCode() {
        Map<String, String> textByType = Map.of("BoundedWaiting", "class BoundedWaiting { void awaitTime() {} }");

        assertThat(isInTheCode("BoundedWaiting", "awaitTime", textByType)).isTrue();
        assertThat(isInTheCode("BoundedWaiting", "await", textByType)).isFalse();
    }

    @Test
    void contributingSaysWhenToRunEachTest() {
        String page = read(Path.of("CONTRIBUTING.md"));
        int start = page.indexOf("| You changed | Run");
        List<Pattern> patterns = Pattern.compile("`'?([^`' ]*Test[^`' ]*)'?`")
                .matcher(page.substring(start, page.indexOf("\n\n", start)))
                .results()
                .flatMap(found -> Stream.of(found.group(1).split(",")))
                .map(RecipesTest::pattern)
                .toList();
        Path tests = Path.of("src/test/java");
        List<String> classes = files(tests, Integer.MAX_VALUE)
                .map(path -> tests.relativize(path).toString().replace('\\', '/'))
                .filter(path -> path.endsWith("Test.java"))
                .map(path -> path.replace(".java", ""))
                .toList();

        assertThat(patterns)
                .hasSizeGreaterThan(30)
                .allMatch(pattern -> classes.stream().anyMatch(pattern.asMatchPredicate()));
        assertThat(classes.stream()
                        .filter(name -> !name.matches("dev/sluice/(results/|store/contract/)?\\w+")) // of no room
                        .filter(name -> patterns.stream()
                                .noneMatch(pattern -> pattern.matcher(name).matches())))
                .isEmpty();
    }

    /** A pattern of Surefire for the paths of classes. */
    private static Pattern pattern(String glob) {
        String path = glob.contains("/") ? glob : "**/" + glob;
        return Pattern.compile(path.replace("**/", "(.+/)?").replace("*", "[^/]*"));
    }

    private static boolean isInTheCode(String type, @Nullable String member, Map<String, String> textByType) {
        if (member != null) {
            return Pattern.compile("[ .]" + member + "\\b")
                    .matcher(textByType.getOrDefault(type, ""))
                    .find();
        }
        Pattern nested = Pattern.compile("(class|enum|interface|record) " + type + "\\b");
        return textByType.containsKey(type)
                || textByType.values().stream()
                        .anyMatch(text -> nested.matcher(text).find());
    }

    @Test
    void theRunbookNamesEveryLogger() {
        String page = read(Path.of("docs/operations.md"));
        Set<String> named = Pattern.compile("`(dev\\.sluice\\.[\\w.]+)`")
                .matcher(page.substring(page.indexOf("## Loggers")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
        Set<String> loggers = files(MAIN, Integer.MAX_VALUE)
                .filter(path -> path.toString().endsWith(".java"))
                .flatMap(RecipesTest::loggers)
                .collect(Collectors.toSet());

        assertThat(loggers).hasSizeGreaterThan(10);
        assertThat(loggers).allMatch(logger -> named.stream().anyMatch(name -> isOrHas(name, logger)));
        assertThat(named).allMatch(name -> loggers.stream().anyMatch(logger -> isOrHas(name, logger)));
    }

    private static Stream<String> loggers(Path source) {
        String folder = MAIN.resolve("java").relativize(source.getParent()).toString();
        return LOGGER.matcher(read(source))
                .results()
                .map(found -> found.group(2) != null
                        ? found.group(2)
                        : folder.replaceAll("[/\\\\]", ".") + "." + found.group(1));
    }

    /** Whether setting the level of a logger sets that of another. */
    private static boolean isOrHas(String logger, String other) {
        return (other + ".").startsWith(logger + ".");
    }

    private static Map<String, String> textByType() {
        return files(Path.of("src"), Integer.MAX_VALUE)
                .filter(path -> path.toString().endsWith(".java") && !path.endsWith("package-info.java"))
                .collect(Collectors.toMap(
                        path -> path.getFileName().toString().replace(".java", ""),
                        RecipesTest::read,
                        (one, other) -> one + other));
    }

    private static Set<String> javaFiles(Predicate<String> isConcerned) {
        Set<String> concerned = files(MAIN, Integer.MAX_VALUE)
                .filter(path -> path.toString().endsWith(".java"))
                .filter(path -> isConcerned.test(read(path)))
                .map(path -> path.getFileName().toString().replace(".java", ""))
                .collect(Collectors.toSet());
        assertThat(concerned).isNotEmpty();
        return concerned;
    }

    private static Set<String> names(String recipe) {
        String page = read(Path.of("CONTRIBUTING.md"));
        int start = page.indexOf("## " + recipe + "\n");
        int end = page.indexOf("\n## ", start + 1);
        return NAME.matcher(page.substring(start, end < 0 ? page.length() : end))
                .results()
                .map((MatchResult found) -> found.group(1).replace(".java", ""))
                .collect(Collectors.toSet());
    }

    private static Stream<Path> files(Path folder, int depth) {
        try (Stream<Path> found = Files.walk(folder, depth)) {
            return found.filter(Files::isRegularFile).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
