package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks the output that the README shows. */
@Timeout(120)
class RehearsalTest {

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @TempDir
    private Path directory;

    private static String run(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(JAVA));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output;
    }

    @Test
    void showsWhoWouldHaveBeenRefusedAndDrawsIt() throws Exception {
        Path report = directory.resolve("report.html");
        String output = run(
                "-jar", "target/sluice-cli.jar", "rehearse", "rate-limits.yml", "access.log", "--html", report.toString());
        assertTrue(output.matches("(?s).*The limits refuse [1-9][0-9,]* calls.*"), output);
        assertTrue(Files.readString(report).contains("<title>"), "a report with charts");
    }

    @Test
    void suggestsLimitsThatTheCommandLineAccepts() throws Exception {
        Path suggested = directory.resolve("suggested.yml");
        run("-jar", "target/sluice-cli.jar", "rehearse", "rate-limits.yml", "access.log", "--suggest", suggested.toString());
        run("-jar", "target/sluice-cli.jar", "check", suggested.toString());
    }

    @Test
    void theLogIsAlwaysMadeTheSame() throws Exception {
        assertEquals(Files.readString(Path.of("access.log")), run("SampleLog.java"));
    }
}
