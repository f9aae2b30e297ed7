package dev.sluice.cli.rehearse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Invocation;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example in examples/rehearse. */
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

    /** The page shows the lines of docs/command-line.md, and each is there. */
    @Test
    void thePageShowsWhatItPrints() throws Exception {
        Invocation run = Invocation.of(
                "rehearse",
                EXAMPLE.resolve("rate-limits.yml").toString(),
                EXAMPLE.resolve("access.log").toString());
        assertThat(run.exitCode()).isZero();
        String page = Files.readString(Path.of("docs", "command-line.md"));
        int from = page.indexOf("$ cd examples/rehearse");
        String shown = page.substring(page.indexOf('\n', from) + 1, page.indexOf("```", from));
        assertThat(shown.lines().filter(line -> !line.equals("…")))
                .hasSizeGreaterThan(15)
                .allSatisfy(line -> assertThat(run.out().replace(EXAMPLE + File.separator, ""))
                        .contains(line.endsWith("…") ? line.substring(0, line.length() - 1) : line));
    }
}
