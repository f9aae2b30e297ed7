package dev.sluice.benchmarks.trouble;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A process that runs {@link InstanceMain}. The process ends no later than this JVM. */
final class InstanceProcess implements AutoCloseable {

    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
    }

    private final Process process;
    private final BufferedReader answers;
    private final PrintStream orders;
    private String address = "";

    /** Starts the process, without waiting until the instance is listening. */
    InstanceProcess(Path limits, String store, Path log) {
        try {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx192m",
                            "-XX:+UseSerialGC",
                            "-XX:MarkSweepAlwaysCompactCount=1", // so that a soak does not count dead objects
                            "-XX:TieredStopAtLevel=1", // scenes are too short for the optimising compiler
                            "-Dorg.slf4j.simpleLogger.log.dev.sluice=info",
                            "-Dorg.slf4j.simpleLogger.showDateTime=true",
                            "-cp",
                            System.getProperty("java.class.path"),
                            InstanceMain.class.getName(),
                            limits.toString(),
                            store)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        RUNNING.add(process);
        answers = process.inputReader(StandardCharsets.UTF_8);
        orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    /** Waits until the instance is listening. */
    void awaitAddress() {
        address = "http://127.0.0.1:" + answer();
    }

    /** The instance's address, such as {@code http://127.0.0.1:40123}. */
    String address() {
        return address;
    }

    void tell(String order) {
        orders.println(order);
    }

    String ask(String question) {
        tell(question);
        return answer();
    }

    private String answer() {
        try {
            String line = answers.readLine();
            if (line == null) {
                throw new IllegalStateException("an instance has ended unexpectedly; see its log");
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Suspends the process. */
    void freeze() {
        signal("STOP");
    }

    void thaw() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Kills the process as {@code kill -9} would. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        RUNNING.remove(process);
    }
}
