package dev.sluice.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * BlockHound finds no call of the library that blocks an event loop. It modifies the JDK, so it runs in its own
 * process.
 */
@Timeout(300)
@Tag("server")
class EventLoopTest {

    private static final String LIMITS = """
            trustedProxies: [ 10.0.0.0/8 ]
            subjects: { tenant: [ "header:X-Org-Id", ip ] }
            endpoints:
              - { id: all, pathPattern: /**, per: [ tenant ], tiers: [ { period: 1d, threshold: 5000 } ] }
              - { id: few, pathPattern: /hello, per: [ ip ], tiers: [ { period: 1d, threshold: 20, algorithm: sliding-log } ] }
              - { id: slots, pathPattern: /denied, per: [ ip ], tiers: [ { threshold: 3, algorithm: concurrency } ] }
              - { id: denials, pathPattern: /teapot, per: [ ip ], count: { status: [ 418 ] }, \
            tiers: [ { period: 1d, threshold: 5 } ] }
              - { id: turns, pathPattern: /charge, per: [ ip ], \
            tiers: [ { period: 1s, threshold: 50, algorithm: leaky-bucket, queue: 100, maxQueueTime: 9s } ] }
            """;

    @TempDir
    private Path directory;

    @Test
    void isNeverBlockedByTheLibrary() throws Exception {
        Path limits = Files.writeString(directory.resolve("limits.yml"), LIMITS);
        List<String> printed = printed(limits);
        assertThat(printed)
                .contains(
                        "BlockHound notices what blocks on purpose",
                        "refused and admitted calls on every endpoint",
                        "the page answered [302, 200, 200, 200, 200, 404] and 3 events");
        assertThat(printed).filteredOn(line -> line.startsWith("blocked: ")).isEmpty();
    }

    private List<String> printed(Path limits) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+EnableDynamicAgentLoading"));
        if (Runtime.version().feature() >= 13) {
            command.add("-XX:+AllowRedefinitionToAddDeleteMethods");
        }
        command.addAll(List.of("-cp", classPath(), WatchedEventLoops.class.getName(), limits.toString()));
        command.removeIf(argument ->
                argument.contains("DynamicAgent") && Runtime.version().feature() < 21);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            return output.lines().toList();
        } finally {
            process.destroyForcibly();
        }
    }

    private static String classPath() {
        return String.join(
                File.pathSeparator,
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                        .filter(entry -> !entry.isEmpty())
                        .toList());
    }
}
