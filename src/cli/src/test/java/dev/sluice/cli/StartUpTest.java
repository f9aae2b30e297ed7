package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
        assertThat(run("-Xlog:class+load:file=" + loaded, 0, "check", file()))
                .content()
                .startsWith("OK ")
                .hasLineCount(1);
        assertThat(loaded).content().contains("dev.sluice.cli.Check ").doesNotContain("org.eclipse.jetty");
    }

    /** Otherwise the log would first have the line that limits are in force. */
    @Test
    void serveOpensNoLimiterForAPortInUse() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(other.getLocalPort());
            assertThat(run("-Xshare:auto", 1, "serve", "--config", file(), "--port", port))
                    .content()
                    .startsWith("sluice: cannot listen on 127.0.0.1:" + port)
                    .hasLineCount(1);
        }
    }

    private String file() throws IOException {
        String text = "- { id: a, pathPattern: /a, tiers: [ { period: 1s, threshold: 1 } ] }\n";
        return Files.writeString(directory.resolve("rate-limits.yml"), text).toString();
    }

    /** What it prints and logs. */
    private Path run(String option, int exitCode, String... arguments) throws Exception {
        Path output = directory.resolve("output.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                option,
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(exitCode);
        return output;
    }
}
