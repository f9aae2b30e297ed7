package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What docs/command-line.md shows is what the command prints. */
class CommandLinePageTest {

    private static final Pattern EXAMPLE = Pattern.compile(
            "^    \\$ sluice ((?:check|explain) .*)\\n((?:(?:    .*)?\\n)+?)(?=\\n\\S|\\n    \\$)", Pattern.MULTILINE);
    private static final Pattern YAML = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @MethodSource("examples")
    void printsWhatThePageShows(String command, String shown) throws IOException {
        Path broken = Files.writeString(directory.resolve("broken.yml"), brokenFile());
        String[] arguments = words(command).stream()
                .map(word -> word.equals("broken.yml") ? broken.toString() : word)
                .toArray(String[]::new);
        String printed = Invocation.of(arguments).out().replace(broken.toString(), "broken.yml");
        assertThat(atAnyTime(printed)).isEqualToNormalizingNewlines(atAnyTime(shown));
    }

    @Test
    void thePageHasExamplesOfBoth() throws IOException {
        assertThat(examples().map(example -> words(example[0]).get(0))).contains("check", "explain");
    }

    static Stream<String[]> examples() throws IOException {
        return EXAMPLE.matcher(page()).results().map(found ->
                new String[] {found.group(1), found.group(2).replaceAll("(?m)^    ", "")});
    }

    private static String brokenFile() throws IOException {
        Matcher yaml = YAML.matcher(page());
        assertThat(yaml.find()).isTrue();
        return yaml.group(1);
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("docs", "command-line.md"));
    }

    private static List<String> words(String command) {
        return WORD.matcher(command)
                .results()
                .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
                .toList();
    }

    /** Replaces windows and remaining times, which change all the time. */
    private static String atAnyTime(String output) {
        return output.replaceAll("\\d{13}", "(time)")
                .replaceAll("reset: \\d+", "reset: (seconds)")
                .strip();
    }
}
