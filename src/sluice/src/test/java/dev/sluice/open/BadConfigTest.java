package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.LimitsException;
import dev.sluice.LimitsException.Problem;
import dev.sluice.internal.config.file.LimitsReader;
import dev.sluice.internal.config.source.ConfigLocation;
import dev.sluice.limits.ConfigSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each file in {@code bad-config} has one mistake, and ends with the message that must be reported. */
class BadConfigTest {

    private static final Path FOLDER = Path.of("src/sluice/src/test/resources/bad-config");

    static Stream<String> files() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("files")
    void saysExactlyWhatIsWrong(String name) throws IOException {
        List<String> expected = lines(name, "# expect: ");
        assertThat(expected).isNotEmpty();
        assertThat(problems(name)).map(Problem::toString).containsExactlyElementsOf(expected);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("files")
    void theSchemaRefusesItTooWhereASchemaCanTell(String name) throws IOException {
        if (lines(name, "# schema: cannot tell").isEmpty()) {
            assertThat(Schema.problems(Files.readString(FOLDER.resolve(name)))).isNotEmpty();
        }
    }

    @Test
    void namesSevenMistakesOfOneFileWithTheirLines() {
        assertThat(problems("seven-mistakes.yml")).extracting(Problem::line).containsExactly(1, 2, 5, 6, 8, 9, 12);
    }

    /** The problems of all these files. */
    static List<Problem> allProblems() throws IOException {
        return files().flatMap(name -> problems(name).stream()).toList();
    }

    private static List<Problem> problems(String name) {
        ConfigSource file = ConfigLocation.source(FOLDER.resolve(name).toString());
        return problems(new ConfigSource() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public byte[] read() throws IOException {
                return file.read();
            }
        });
    }

    /** The mistakes of a file, or the warnings if it has none. */
    static List<Problem> problems(ConfigSource source) {
        try {
            return LimitsReader.read(source, Set.of()).warnings();
        } catch (LimitsException e) {
            return e.problems();
        }
    }

    private static List<String> lines(String name, String start) throws IOException {
        return Files.readAllLines(FOLDER.resolve(name)).stream()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .toList();
    }
}
