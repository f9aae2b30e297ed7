package dev.sluice.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The test that {@code docs/testing.md} shows is one of an example, which CI runs. */
@Tag("docs")
class TestingPageTest {

    @Test
    void showsATestThatIsRun() {
        String example = Snippet.read(Path.of("examples/spring-boot/src/test/java/example/ProductLimitsTest.java"));
        assertThat(Snippet.in("java").stream()
                        .filter(snippet -> snippet.isOf("testing.md"))
                        .findFirst()
                        .map(Snippet::text))
                .hasValue(example.replaceFirst("package example;\n\n", ""));
    }
}
