package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Applications that are processed ahead of time, as the goal {@code process-aot} of Spring Boot's Maven plugin does.
 */
@Timeout(600)
@Tag("server")
@Tag("thorough")
class AheadOfTimeTest {

    @TempDir
    private static Path builds;

    private static Path builtWithLimits;
    private static Path builtWithout;

    @TempDir
    private Path directory;

    @BeforeAll
    static void build() throws IOException {
        Path withLimits = Files.createDirectory(builds.resolve("with"));
        writeLimits(withLimits, 5);
        builtWithLimits = built(withLimits);
        builtWithout = built(Files.createDirectory(builds.resolve("without")));
    }

    private static void writeLimits(Path directory, int threshold) throws IOException {
        Files.writeString(
                directory.resolve("rate-limits.yml"),
                "- { id: all, pathPattern: /**, tiers: [ { period: 1d, threshold: " + threshold + " } ] }");
    }

    private static List<String> settings(String... more) {
        List<String> all = new ArrayList<>(List.of(
                "--spring.main.web-application-type=servlet",
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--sluice.store=memory:"));
        Stream.of(more).map(setting -> "--" + setting).forEach(all::add);
        return all;
    }

    /** Builds the application in a directory; returns where the generated classes are. */
    private static Path built(Path directory) throws IOException {
        Path sources = directory.resolve("sources");
        Path classes = directory.resolve("classes");
        List<String> processor = new ArrayList<>(List.of(
                "org.springframework.boot.SpringApplicationAotProcessor",
                CallingShop.class.getName(),
                sources.toString(),
                directory.resolve("resources").toString(),
                classes.toString(),
                "dev.sluice",
                "shop"));
        processor.addAll(settings());
        List<String> printed = OtherProcess.printed(directory, processor);
        assertThat(sources).as(() -> String.join("\n", printed)).isDirectory();
        List<String> compiler = new ArrayList<>(
                List.of("-proc:none", "-nowarn", "-cp", onClassPath(classes), "-d", classes.toString()));
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(compiler::add);
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, compiler.toArray(String[]::new)))
                .isZero();
        return classes;
    }

    private static String onClassPath(Path classes) {
        return classes + File.pathSeparator + OtherProcess.classPath();
    }

    /** Runs the application in the directory of the test; returns its output. */
    private List<String> run(Path build, String... properties) throws IOException {
        List<String> application = new ArrayList<>(List.of(CallingShop.class.getName()));
        application.addAll(settings(properties));
        return OtherProcess.printed(
                directory, List.of("-Dspring.aot.enabled=true", "-cp", onClassPath(build)), application);
    }

    @Test
    void theLimitsComeFromTheDirectoryWhereItRuns() throws IOException {
        writeLimits(directory, 7);
        assertThat(run(builtWithLimits)).contains(CallingShop.RUNS + 7);
    }

    @Test
    void disablingLimitsAtRunTimeHasNoEffectAndIsLogged() throws IOException {
        writeLimits(directory, 7);
        assertThat(run(builtWithLimits, "sluice.enabled=false"))
                .contains(CallingShop.RUNS + 7)
                .anyMatch(line -> line.contains("WARN")
                        && line.contains("sluice.enabled=false has no effect: this application was processed ahead of "
                                + "time with limits, and they are in force"));
    }

    @Test
    void itRunsWithoutLimitsIfItWasBuiltWithoutThem() throws IOException {
        assertThat(run(builtWithout))
                .contains(CallingShop.RUNS + "none")
                .anyMatch(line -> line.contains("No limits are in force, because none were found"));
    }

    @Test
    void limitsMissingAtBuildTimeStopTheStart() throws IOException {
        writeLimits(directory, 7);
        assertThat(run(builtWithout))
                .anyMatch(line -> line.startsWith("The limits in ")
                        && line.endsWith(
                                "rate-limits.yml cannot be enforced: this application was processed ahead of time "
                                        + "without limits."))
                .noneMatch(line -> line.startsWith(CallingShop.RUNS));
    }

    @Test
    void limitsMissingAtRunTimeStopTheStart() throws IOException {
        assertThat(run(builtWithLimits))
                .anyMatch(line -> line.startsWith("This application was processed ahead of time with limits, and now "
                        + "none were found: none of the files config/rate-limits.yml"))
                .noneMatch(line -> line.startsWith(CallingShop.RUNS));
    }
}
