package dev.sluice.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Invocation;
import dev.sluice.cli.ServedFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each command that a page shows is one that the shell and the command line understand; the README's are run. */
@Timeout(120)
class ShellSnippetsTest {

    private static final Pattern COMMAND =
            Pattern.compile("^ {4}(?:\\$ )?(?:java -jar \\S*sluice-cli\\.jar|sluice) (.*)$", Pattern.MULTILINE);
    private static final Pattern JAR = Pattern.compile("^java -jar \\S*sluice-cli\\.jar (.*)$", Pattern.MULTILINE);
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

    static Stream<Snippet> shell() {
        return Snippet.in("sh").stream();
    }

    @ParameterizedTest
    @MethodSource("shell")
    void isWhatAShellUnderstands(Snippet snippet) throws Exception {
        assertThat(bash(snippet.text(), "-n")).isEmpty();
    }

    /** All commands of the command line that a page shows, whether a line of their own or a snippet. */
    static Stream<String> commands() {
        Stream<String> indented = Snippet.pages().stream()
                .flatMap(page -> COMMAND.matcher(Snippet.read(page)).results().map(found -> found.group(1)));
        Stream<String> fenced = shell().flatMap(snippet ->
                JAR.matcher(snippet.text().replace("\\\n", " ")).results().map(found -> found.group(1)));
        return Stream.concat(indented, fenced)
                .map(command -> command.replaceAll(" +(#|>|\\||&&|\\|\\||&).*", ""))
                .filter(command -> !command.contains("…") && !command.contains("..."))
                .distinct();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void hasTheWordsThatTheCommandLineKnows(String command) {
        assertThat(Invocation.misunderstood(words(command))).isEmpty();
    }

    @Test
    void commandsAreFoundOnManyPages() {
        assertThat(commands()).hasSizeGreaterThan(20);
    }

    @Test
    void theReadmesCallsAreAnsweredAsItSays(@TempDir Path directory) throws Exception {
        String calls = readme("curl -i http://127.0.0.1:8080/product/1");
        try (ServedFile served = new ServedFile("rate-limits.yml")) {
            List<String> answers = bash(calls.replace("127.0.0.1:8080", "127.0.0.1:" + served.port()));
            assertThat(answers.stream().filter(line -> line.startsWith("x-ratelimit-remaining:")))
                    .containsExactly("x-ratelimit-remaining: 999", "x-ratelimit-remaining: 999");
            List<String> logins =
                    answers.stream().filter(line -> line.matches("200|429")).toList();
            assertThat(logins).hasSize(6).startsWith("200", "200", "200", "200", "200");
            // unless a minute has ended in between, as the README says
            assertThat(logins.get(5)).isIn("429", "200");
        }
    }

    @Test
    void theReadmesRehearsalWritesItsReport(@TempDir Path directory) {
        String rehearsal = readme("rehearse examples/rehearse");
        String command = JAR.matcher(rehearsal.replace("\\\n", " "))
                .results()
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow();
        Path report = directory.resolve("report.html");
        Invocation run = Invocation.of(words(command.replace("report.html", report.toString())));
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(report).isNotEmptyFile();
    }

    private static String readme(String part) {
        return shell().filter(
                        snippet -> snippet.isOf("README.md") && snippet.page().getNameCount() == 1)
                .map(Snippet::text)
                .filter(text -> text.contains(part))
                .findFirst()
                .orElseThrow();
    }

    private static String[] words(String command) {
        return WORD.matcher(command)
                .results()
                .map(word -> word.group().replaceAll("^['\"]|['\"]$", ""))
                .toArray(String[]::new);
    }

    /** What bash and its commands print, complaints included. */
    private static List<String> bash(String script, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("bash"));
        command.addAll(List.of(options));
        command.addAll(List.of("-c", script));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        List<String> printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .map(String::strip)
                .toList();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return printed;
    }
}
