package dev.sluice.cli.rehearse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example in examples/rehearse. */
@Tag("docs")
class ExampleTest {

    private static final Path EXAMPLE = Path.of("examples", "rehearse");

    @Test
    void itsLogIsWhatItsGeneratorMakes(@TempDir Path directory) throws Exception {
        File made = directory.resolve("access.log").toFile();
        Process generator = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        EXAMPLE.resolve("SampleLog.java").toString())
                .redirectOutput(made)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(generator.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.mismatch(made.toPath(), EXAMPLE.resolve("access.log"))).isEqualTo(-1);
    }
}
