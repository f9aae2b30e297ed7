package dev.sluice.spring;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Runs an application in its own process and directory. */
final class OtherProcess {

    private OtherProcess() {}

    /** Runs a class with the class path of this process; returns all its output. */
    static List<String> printed(Path directory, List<String> mainClassAndArguments) throws IOException {
        return printed(directory, List.of("-cp", classPath()), mainClassAndArguments);
    }

    /** The same with JVM arguments, which must include the class path. */
    static List<String> printed(Path directory, List<String> ofJvm, List<String> mainClassAndArguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dorg.springframework.boot.logging.LoggingSystem=none"));
        command.addAll(ofJvm);
        command.addAll(mainClassAndArguments);
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            return output.lines().toList();
        } finally {
            process.destroyForcibly();
        }
    }

    /** The class path of this process, without empty entries: they mean its directory, which has a file. */
    static String classPath() {
        return String.join(
                File.pathSeparator,
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                        .filter(entry -> !entry.isEmpty())
                        .map(entry -> Path.of(entry).toAbsolutePath().toString())
                        .toList());
    }
}
