package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

    @ParameterizedTest
    @ValueSource(strings = {"check", "explain", "serve", "compare", "rehearse", "import", "limits", "top"})
    void everyCommandHelps(String command) {
        Invocation help = Invocation.of(command, "--help");
        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).startsWith("Usage: sluice " + command).contains("--help");
        assertThat(Invocation.of(command, "--version").out()).startsWith("sluice ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "check ",
                "explain ",
                "serve ",
                "compare ",
                "rehearse ",
                "import ",
                "limits ",
                "limits set ",
                "limits get ",
                "limits list ",
                "limits unset ",
                "top "
            })
    void helpFitsEightyColumnsAndEndsItsSentences(String command) {
        String help = Invocation.of((command + "--help").split(" ")).out();
        assertThat(help.lines()).allMatch(line -> line.length() <= 80);
        assertThat(help.lines()).noneMatch(line -> line.strip().startsWith("//") || line.matches(".*[0-9:]:"));
        int commands = help.indexOf("Commands:");
        int footer = help.indexOf("\n\n", Math.max(0, commands));
        if (commands >= 0) {
            String list = help.substring(commands, footer < 0 ? help.length() : footer);
            assertThat(list.split("\n  (?=[a-z])"))
                    .hasSizeGreaterThan(4)
                    .allMatch(entry -> entry.startsWith("Commands:")
                            || entry.stripTrailing().endsWith("."));
        }
    }

    @Test
    void helpNamesTheCommands() {
        Invocation help = Invocation.of("--help");
        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).contains("check", "explain", "serve", "compare", "rehearse", "import", "limits", "top");
        assertThat(help.err()).isEmpty();
    }

    @Test
    void printsItsVersion() {
        Invocation version = Invocation.of("--version");
        assertThat(version.exitCode()).isZero();
        assertThat(version.out()).startsWith("sluice ").hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource({
        "chek, check",
        "explian, explain",
        "sevre, serve",
        "compair, compare",
        "reherse, rehearse",
        "imprt, import"
    })
    void guessesWhichCommandWasMeant(String misspelt, String meant) {
        assertUsage(
                "sluice: unknown argument '" + misspelt + "'; did you mean " + meant + "? (see sluice --help)",
                misspelt);
    }

    @Test
    void asksForACommand() {
        assertUsage("sluice: name a command: check, explain, serve, compare, rehearse, import, limits, top or hash (see"
                + " sluice --help)");
    }

    @Test
    void wrongUsageIsOneLine() {
        assertUsage("sluice: Missing required parameter: 'FILE' (see sluice check --help)", "check");
        assertUsage("sluice: unknown argument 'b.yml' (see sluice check --help)", "check", "a.yml", "b.yml");
        assertUsage("sluice: unknown argument '--strict' (see sluice check --help)", "check", "--strict", "a.yml");
        assertUsage(
                "sluice: Missing required parameters: 'METHOD', 'PATH' (see sluice explain --help)",
                "explain",
                "a.yml");
        assertUsage(
                "sluice: Invalid value for option '--port': 'http' is not a whole number (see sluice serve --help)",
                "serve",
                "--port",
                "http");
        assertUsage(
                "sluice: --port 65536 is out of range; write a number from 0 to 65535 (see sluice serve --help)",
                "serve",
                "--port",
                "65536");
    }

    /** Exit code 2, nothing on standard output and this one line on standard error. */
    private static void assertUsage(String line, String... arguments) {
        Invocation wrong = Invocation.of(arguments);
        assertThat(wrong.err()).isEqualToIgnoringNewLines(line).hasLineCount(1);
        assertThat(wrong.out()).isEmpty();
        assertThat(wrong.exitCode()).isEqualTo(2);
    }

    /** Even where the locale has no other letters than English ones. */
    @Test
    void resultsThatAreFilesAreInUtf8OnStandardOutputToo(@TempDir Path directory) throws Exception {
        String starter =
                Files.writeString(directory.resolve("application.yml"), """
                    bucket4j:
                      filters: [ { url: /größe, rate-limits: [ { bandwidths: [ { capacity: 5, time: 1, unit: minutes } ] } ] } ]
                    """).toString();
        Path limits = directory.resolve("limits.yml");
        assertThat(Invocation.of("import", starter, "--output", limits.toString())
                        .exitCode())
                .isZero();
        assertThat(onStandardOutput("import", starter))
                .isEqualTo(Files.readString(limits))
                .contains("/größe");
        String log = Files.writeString(
                        directory.resolve("access.log"),
                        "::1 - - [02/Mar/2026:00:00:00 +0000] \"GET /a HTTP/1.1\" 200 17 \"-\" \"curl/8\"\n")
                .toString();
        Path page = directory.resolve("report.html");
        String[] rehearse = {"rehearse", limits.toString(), log, "--html"};
        assertThat(Invocation.of(rehearse[0], rehearse[1], rehearse[2], "--html", page.toString())
                        .exitCode())
                .isZero();
        assertThat(onStandardOutput(rehearse)).isEqualTo(Files.readString(page)).contains("…");
    }

    private static String onStandardOutput(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dfile.encoding=US-ASCII",
                "-Dsun.stdout.encoding=US-ASCII",
                "-Dstdout.encoding=US-ASCII",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
