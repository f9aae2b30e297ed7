package dev.sluice.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.open.GivenFile;
import dev.sluice.open.Schema;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each YAML snippet of a page loads without a warning, if need be after the missing parts have been added. In
 * Kubernetes manifests, this holds for the content of the ConfigMap.
 */
@Tag("docs")
class YamlSnippetsTest {

    private static final Map<String, String> VARIABLES = Map.of("REDIS_URL", "redis://redis:6379");

    /** The page shows the messages about its mistakes. */
    private static boolean isMeantToBeWrong(Snippet snippet) {
        return snippet.isOf("command-line.md");
    }

    private static boolean isOfKubernetes(Snippet snippet) {
        return snippet.text().startsWith("apiVersion:");
    }

    static Stream<Snippet> files() {
        return Snippet.in("yaml").stream().filter(snippet -> !isOfKubernetes(snippet) && !isMeantToBeWrong(snippet));
    }

    @ParameterizedTest
    @MethodSource("files")
    void loadsWithoutAWarning(Snippet snippet) {
        String file = whole(snippet.text());
        assertThat(problems(file)).isEmpty();
        assertThat(Schema.problems(file)).isEmpty();
    }

    /** Tiers alone get an endpoint, other keys without endpoints the one of most examples. */
    private static String whole(String text) {
        if (text.startsWith("tiers:")) {
            return "- id: get-product\n  pathPattern: /product/*\n" + text.indent(2);
        }
        boolean hasEndpoints = text.startsWith("-") || text.startsWith("endpoints:") || text.contains("\nendpoints:");
        return hasEndpoints ? text : text + "endpoints:\n" + GivenFile.SMALLEST.indent(2);
    }

    @Test
    void manifestsFitTogetherAndHoldAFileThatLoads() {
        KubernetesObjects objects = KubernetesObjects.of(Path.of("docs", "kubernetes.md"));
        objects.assertFitTogether();
        assertThat(objects.files())
                .isNotEmpty()
                .allSatisfy(file -> assertThat(problems(file)).isEmpty());
    }

    @Test
    void manifestsAreOnTheirPageOnly() {
        assertThat(Snippet.in("yaml").stream().filter(YamlSnippetsTest::isOfKubernetes))
                .isNotEmpty()
                .allMatch(snippet -> snippet.isOf("kubernetes.md"));
    }

    @Test
    void areFoundOnEveryPageThatHasSome() {
        assertThat(files().map(Snippet::page).map(page -> page.getFileName().toString()))
                .contains("README.md", "rate-limits-yml.md", "recipes.md", "extending.md");
    }

    private static List<String> problems(String text) {
        return new GivenFile(text).problemsWith(VARIABLES, "customer", "plan", "by-size");
    }
}
