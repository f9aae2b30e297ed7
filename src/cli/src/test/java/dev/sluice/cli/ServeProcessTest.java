package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code serve} in a process of its own, by its output. */
@Timeout(180)
@Tag("server")
class ServeProcessTest {

    private static final String LIMITS = """
            reload: 100ms
            %s
            subjects: { tenant: [ "header:X-Org-Id" ] }
            endpoints:
              - { id: shop, pathPattern: /shop, tiers: [ { period: 1d, threshold: 1 } ] }
            """;
    private static final Pattern LISTENING = Pattern.compile("Sluice listens on http://127\\.0\\.0\\.1:(\\d+)");

    @TempDir
    private Path directory;

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private Path file;
    private Process process;
    private Thread reader;

    @BeforeEach
    void start() throws IOException {
        file = directory.resolve("rate-limits.yml");
        write("");
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "serve",
                        "--port",
                        "0",
                        "--config",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        reader = new Thread(this::read);
        reader.start();
    }

    private void read() {
        try (BufferedReader out = process.inputReader()) {
            out.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException e) {
            lines.add("no more can be read: " + e);
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("it ends").isTrue();
        reader.join();
    }

    private void write(String section) throws IOException {
        Path written = Files.writeString(directory.resolve("new.yml"), LIMITS.formatted(section));
        Files.move(written, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Puts another file in force. */
    private void change(String section) throws IOException {
        long before = inForce();
        write(section);
        Eventually.await(() -> "another file in force: " + lines, () -> inForce() > before);
    }

    private long inForce() {
        return lines.stream().filter(line -> line.contains(" is in force")).count();
    }

    private int port() {
        Eventually.await(
                () -> "a port: " + lines,
                () -> lines.stream().anyMatch(line -> LISTENING.matcher(line).find()));
        return lines.stream()
                .map(LISTENING::matcher)
                .filter(Matcher::find)
                .mapToInt(found -> Integer.parseInt(found.group(1)))
                .findFirst()
                .orElseThrow();
    }

    /** Calls as this tenant, twice or more, until a call is refused. */
    private void isRefused(String tenant) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + "/shop"))
                .header("X-Org-Id", tenant)
                .build();
        Eventually.await("a refusal of " + tenant, () -> {
            try {
                return http.send(request, BodyHandlers.discarding()).statusCode() == 429;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        });
    }

    private boolean isTold(String tenant) {
        return lines.stream().anyMatch(line -> line.contains("shop refused") && line.contains("tenant=" + tenant));
    }

    @Test
    void saysWhoIsRefusedFromOneReloadToAnother() throws IOException {
        isRefused("early");
        assertThat(lines)
                .anySatisfy(line ->
                        assertThat(line).contains(" is in force: 1 endpoint; calls count in this process alone"));
        change("log: { refusals: 1s }");
        isRefused("acme");
        Eventually.await(() -> "a line of acme: " + lines, () -> isTold("acme"));
        assertThat(lines)
                .anySatisfy(line -> assertThat(line)
                        .contains("shop refused 1 call within the last 1s: 1 of tenant=acme by tier 1d"));

        change("log: { refusals: 1h }");
        isRefused("globex");
        change("");
        Eventually.await(() -> "the last line of all, though the hour is not over: " + lines, () -> isTold("globex"));
        isRefused("silent");

        change("log: { refusals: 1s }");
        isRefused("late");
        Eventually.await(() -> "a line of late: " + lines, () -> isTold("late"));
        assertThat(isTold("early")).as("before it was asked for").isFalse();
        assertThat(isTold("silent")).as("while it was not").isFalse();
    }
}
