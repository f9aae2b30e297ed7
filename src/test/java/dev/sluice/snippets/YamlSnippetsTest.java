package dev.sluice.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.GivenFile;
import dev.sluice.config.Schema;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

/** Each YAML that a page shows is a file that loads without a warning; in Kubernetes' objects, what they hold. */
class YamlSnippetsTest {

    private static final Map<String, String> VARIABLES = Map.of("REDIS_URL", "redis://redis:6379");

    /** Shows what is said of its mistakes. */
    private static boolean isMeantToBeWrong(Snippet snippet) {
        return snippet.isOf("command-line.md");
    }

    private static boolean isOfKubernetes(Snippet snippet) {
        return snippet.text().startsWith("apiVersion:");
    }

    static Stream<Snippet> files() {
        return Snippet.in("yaml").stream().filter(snippet -> !isOfKubernetes(snippet) && !isMeantToBeWrong(snippet));
    }

    static Stream<Snippet> kubernetes() {
        return Snippet.in("yaml").stream().filter(YamlSnippetsTest::isOfKubernetes);
    }

    @ParameterizedTest
    @MethodSource("files")
    void loadsWithoutAWarning(Snippet snippet) {
        assertThat(problems(snippet.text())).isEmpty();
        assertThat(Schema.problems(snippet.text())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("kubernetes")
    void holdsAFileThatLoads(Snippet snippet) {
        List<Map<?, ?>> objects = Stream.of(snippet.text().split("(?m)^---\n"))
                .<Map<?, ?>>map(text -> new Yaml().load(text))
                .toList();
        assertThat(objects)
                .allSatisfy(object -> assertThat(object.containsKey("kind")).isTrue());
        List<String> held = objects.stream()
                .filter(object -> "ConfigMap".equals(object.get("kind")))
                .flatMap(object -> ((Map<?, ?>) object.get("data")).values().stream())
                .map(String::valueOf)
                .toList();
        assertThat(held)
                .isNotEmpty()
                .allSatisfy(file -> assertThat(problems(file)).isEmpty());
    }

    @Test
    void areFoundOnEveryPageThatHasSome() {
        assertThat(files().map(Snippet::page).map(page -> page.getFileName().toString()))
                .contains("README.md", "rate-limits-yml.md", "recipes.md", "extending.md");
        assertThat(kubernetes()).isNotEmpty();
    }

    private static List<String> problems(String text) {
        return new GivenFile(text).problemsWith(VARIABLES, "customer", "plan", "by-size");
    }
}
