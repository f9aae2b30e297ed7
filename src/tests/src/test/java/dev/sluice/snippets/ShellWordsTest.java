package dev.sluice.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Invocation;
import dev.sluice.snippets.ShellBlock.Step;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The shell and the command line understand each command that a page shows, of which there are many. */
@Timeout(120)
@Tag("docs")
class ShellWordsTest {

    static Stream<Snippet> shell() {
        return Snippet.in("sh").stream();
    }

    @ParameterizedTest
    @MethodSource("shell")
    void isWhatAShellUnderstands(Snippet snippet) throws Exception {
        Process process = new ProcessBuilder("bash", "-n", "-c", snippet.text())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        assertThat(process.getInputStream().readAllBytes()).isEmpty();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }

    /** The arguments of {@code sluice} in all commands. */
    static Stream<List<String>> commands() {
        return ShellBlock.all()
                .flatMap(block -> block.steps().stream())
                .map(ShellWordsTest::arguments)
                .filter(arguments -> !arguments.isEmpty())
                .distinct();
    }

    private static List<String> arguments(Step step) {
        List<String> words = new Step(step.command().replaceAll(" +(#|>|\\||&).*", ""), "").words();
        int jar = words.indexOf("-jar");
        boolean isJar = jar >= 0 && words.get(jar + 1).endsWith("sluice-cli.jar");
        int name = isJar ? jar + 1 : words.indexOf("sluice") == 0 ? 0 : words.size() - 1;
        return words.subList(name + 1, words.size());
    }

    @ParameterizedTest
    @MethodSource("commands")
    void hasTheWordsThatTheCommandLineKnows(List<String> arguments) {
        assertThat(Invocation.misunderstood(arguments.toArray(String[]::new))).isEmpty();
    }

    @Test
    void commandsAreFoundOnManyPages() {
        assertThat(commands()).hasSizeGreaterThan(20);
    }

    /**
     * The commands in docs/command-line.md for which the page shows the output. {@link ShellSnippetsTest} compares it.
     */
    @Test
    void thePageOfTheCommandLineShowsWhatIsPrinted() {
        List<Step> shown = ShellBlock.all()
                .filter(block -> block.page().equals("docs/command-line.md"))
                .flatMap(block -> block.steps().stream())
                .filter(step -> !step.output().isEmpty())
                .toList();
        assertThat(shown.stream()
                        .map(ShellWordsTest::arguments)
                        .map(arguments -> arguments.isEmpty() ? "" : arguments.get(0)))
                .contains("check", "explain", "rehearse");
        assertThat(shown.stream().filter(step -> step.command().contains(" rehearse ")))
                .anySatisfy(step -> assertThat(step.output().lines().filter(line -> !line.equals("…")))
                        .hasSizeGreaterThan(10));
    }
}
