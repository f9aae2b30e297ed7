package dev.sluice.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject.Kind;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The Java of the README and of docs compiles as it stands there, with the imports that it shows and no others. */
@Tag("docs")
class JavaSnippetsTest {

    /** Declarations that the text around the snippets assumes. */
    private static final String SURROUNDINGS = """
        %s
        abstract class Snippet {
            io.micrometer.core.instrument.MeterRegistry registry;
            org.apache.catalina.Context context;
            org.springframework.boot.web.servlet.FilterRegistrationBean<?> filter;
            class ProductController {}
            Orders orders;
            interface Orders { Order place(jakarta.servlet.http.HttpServletRequest request); }
            interface Order { long totalInCents(); }
            jakarta.servlet.http.HttpServletRequest request;
            jakarta.servlet.http.HttpServletResponse response;
            String name;
            String password;
            Accounts accounts;
            interface Accounts { boolean match(String name, String password); }
            String prompt;
            Model model;
            interface Model {
                Usage complete(String prompt);
                java.util.concurrent.CompletionStage<Usage> stream(
                        String prompt, java.io.Writer to, java.util.function.Consumer<Chunk> each);
            }
            interface Usage { long totalTokens(); }
            Chunk chunk;
            interface Chunk { long tokens(); }
            java.io.Closeable stream;
            dev.sluice.RateLimiter limiter;
            dev.sluice.Decision decision;
            String user;
            String team;
            long estimate;
            %s
        }
        """;

    @TempDir
    private Path directory;

    /** All snippets except those that an example contains too, because CI builds the examples. */
    static Stream<Snippet> snippets() {
        String example = Snippet.read(Path.of("examples/spring-ai/src/main/java/example/AssistantController.java"));
        return Snippet.in("java").stream().filter(snippet -> !inOneLine(example).contains(inOneLine(snippet.text())));
    }

    private static String inOneLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    @ParameterizedTest
    @MethodSource("snippets")
    void compile(Snippet snippet) {
        assertThat(problems(snippet.text())).isEmpty();
    }

    @Test
    void areThere() {
        assertThat(snippets()).hasSizeGreaterThanOrEqualTo(5);
    }

    @Test
    void doNotCompileIfTheyAreWrong() {
        String imported = "import dev.sluice.open.Sluice;\n";
        assertThat(problems(imported + "Sluice limits = Sluice.open(42);\n")).isNotEmpty();
        assertThat(problems(imported + "Sluice limits = Sluice.open(\"a.yml\");\n"))
                .isEmpty();
        assertThat(problems("Sluice limits = Sluice.open(\"a.yml\");\n"))
                .as("without its import")
                .contains("Sluice");
    }

    /** The compiler's errors for a snippet, which may be statements, methods or a whole class. */
    private String problems(String snippet) {
        String imports = Pattern.compile("^import .*;$", Pattern.MULTILINE)
                .matcher(snippet)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.joining("\n"));
        String remaining = snippet.replaceAll("(?m)^import .*;$", "");
        boolean isMember = Pattern.compile(
                        "^(protected|record|(public )?final class|@Bean|@WebMvcTest|@RegisterExtension)\\b",
                        Pattern.MULTILINE)
                .matcher(remaining)
                .find();
        String body = isMember ? remaining : "void run() throws Exception {\n" + remaining + "}";
        StringWriter said = new StringWriter();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        boolean compiled = compiler.getTask(
                        said,
                        null,
                        null,
                        List.of("-proc:none", "-d", directory.toString(), "-classpath", classPath),
                        null,
                        List.of(new Source(SURROUNDINGS.formatted(imports, body))))
                .call();
        return compiled ? "" : said.toString();
    }

    /** A source file that is not on disk. */
    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        private Source(String text) {
            super(URI.create("string:///Snippet.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
