package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command in a JVM of its own. */
class StartUpTest {

    @TempDir
    private Path directory;

    @Test
    void checkLoadsNoServer() throws Exception {
        Path loaded = directory.resolve("loaded.txt");
        Path output = directory.resolve("output.txt");
        Process check = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:class+load:file=" + loaded,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "check",
                        write("- { id: a, pathPattern: /a, tiers: [ { period: 1s, threshold: 1 } ] }\n"))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(check.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(output).content().startsWith("OK ").hasLineCount(1);
        assertThat(check.exitValue()).isZero();
        assertThat(loaded).content().contains("dev.sluice.cli.Check ").doesNotContain("org.eclipse.jetty");
    }

    private String write(String text) throws IOException {
        return Files.writeString(directory.resolve("rate-limits.yml"), text).toString();
    }
}
