package dev.sluice.benchmarks;

import dev.sluice.results.Result;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The version of the code that was measured, and the date of the measurement.
 *
 * @param project the project folder
 * @param commit the commit, with a plus sign if the measured code has changed since then
 */
record Measured(Path project, LocalDate date, String commit) {

    private static final String INSTALL = "mvn -q -DskipTests install && mvn -q -f src/benchmarks/pom.xml package";

    /**
     * Finds the project that contains the current folder. Throws an exception if the running code differs from the
     * project's compiled code.
     */
    static Measured here() throws IOException, InterruptedException {
        Path project = Path.of("").toAbsolutePath();
        while (!Files.exists(project.resolve("src/benchmarks/pom.xml"))) {
            project = project.getParent();
            if (project == null) {
                throw new IOException("run this in the folder of the project, or in its folder src/benchmarks");
            }
        }
        requireCurrent(project.resolve("src/sluice/target/classes"));
        String commit = git(project, "rev-parse", "--short=8", "HEAD");
        boolean changed = !git(project, "status", "--porcelain", "--", "src/sluice/src/main", "src/benchmarks/src").isEmpty();
        return new Measured(project, LocalDate.now(ZoneOffset.UTC), commit + (changed ? "+" : ""));
    }

    private static void requireCurrent(Path classes) throws IOException {
        if (!Files.isDirectory(classes)) {
            throw new IOException(classes + " does not exist; run: " + INSTALL);
        }
        try (Stream<Path> files = Files.walk(classes.resolve("dev/sluice"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = classes.relativize(file).toString().replace('\\', '/');
                try (InputStream measured = Measured.class.getClassLoader().getResourceAsStream(name)) {
                    // the measured jar does not contain the classes of the command line
                    if (measured != null && !Arrays.equals(measured.readAllBytes(), Files.readAllBytes(file))) {
                        throw new IOException(name + " differs from the class in " + classes + "; run: " + INSTALL);
                    }
                }
            }
        }
    }

    private static String git(Path project, String... words) throws IOException, InterruptedException {
        List<String> command = Stream.concat(Stream.of("git"), Stream.of(words)).toList();
        Process git = new ProcessBuilder(command)
                .directory(project.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (git.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed");
        }
        return said;
    }

    /** The result, which consists of the median of the rounds and the range of the middle half. */
    Result result(String subject, String contestant, String figure, String unit, double... rounds) {
        double[] sorted = rounds.clone();
        Arrays.sort(sorted);
        int cut = sorted.length / 4;
        return new Result(
                subject,
                contestant,
                figure,
                (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2,
                unit,
                sorted.length,
                sorted[cut],
                sorted[sorted.length - 1 - cut],
                date,
                commit);
    }
}
