package dev.sluice.fleet.served;

import dev.sluice.Eventually;
import dev.sluice.cli.Main;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The command {@code serve} in a JVM of its own, on a free loopback port. It is killed with this JVM, if not closed
 * before.
 */
final class ServedInstance implements AutoCloseable {

    private static final Pattern ADDRESS = Pattern.compile("listens on (http://127\\.0\\.0\\.1:\\d+)\\R");
    private static final long STOP_SECONDS = 10;
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
    }

    private final Path output;
    private final Process process;

    /** Starts it; it does not listen yet. */
    ServedInstance(Path limits, Path output) {
        this.output = output;
        try {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx256m",
                            "-XX:TieredStopAtLevel=1", // a test is too short for the optimising compiler to pay
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Main.class.getName(),
                            "serve",
                            "--config",
                            limits.toString(),
                            "--port",
                            "0")
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        RUNNING.add(process);
    }

    /** Waits until it says where it listens, for example {@code http://127.0.0.1:40123}. */
    String awaitAddress() {
        Eventually.await("an address from serve", () -> {
            if (!process.isAlive()) {
                throw new AssertionError("serve ended by itself:\n" + output());
            }
            return ADDRESS.matcher(output()).find();
        });
        Matcher address = ADDRESS.matcher(output());
        if (!address.find()) {
            throw new AssertionError("serve took its address back:\n" + output());
        }
        return address.group(1);
    }

    long pid() {
        return process.pid();
    }

    /** Lines that warn of something. */
    List<String> warnings() {
        return output().lines()
                .filter(line -> line.contains("WARN") || line.contains("ERROR") || line.contains("Exception"))
                .toList();
    }

    /** Asks it to end, and kills it if it does not. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        RUNNING.remove(process);
    }

    private String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
