package dev.sluice.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nothing that a page shows to be copied escapes the tests of snippets, which find it by the language of its fence. */
@Tag("docs")
class SnippetsTest {

    /** By one class for each. */
    private static final Set<String> TESTED = Set.of("console", "java", "sh", "xml", "yaml");

    private static final Set<String> OTHERS = Set.of("js", "json", "promql", "text");

    static Stream<Path> pages() {
        return Snippet.pages().stream();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void standInAFenceThatSaysItsLanguage(Path page) {
        List<String> wrong = new ArrayList<>();
        boolean isOpen = false;
        for (String line : Snippet.read(page).lines().toList()) {
            boolean isFence = line.strip().startsWith("```");
            if (isFence && !isOpen && !isFound(line)) {
                wrong.add(line);
            }
            isOpen ^= isFence;
            if (!isOpen
                    && line.matches(
                            " {4,}(<\\w+>|import [\\w.]+;|(- )?\\w+: [\\[{].*|(\\$|curl|java|mvn|sluice) ).*")) {
                wrong.add(line);
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static boolean isFound(String fence) {
        String language = fence.strip().substring(3);
        return OTHERS.contains(language) || TESTED.contains(language);
    }
}
