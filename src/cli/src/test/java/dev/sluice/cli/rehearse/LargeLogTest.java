package dev.sluice.cli.rehearse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Invocation;
import dev.sluice.cli.Main;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs that are larger than memory, and how long a line may take. */
@Tag("thorough")
class LargeLogTest {

    private static final String LIMITS = """
        endpoints:
          - { id: get-product, methods: [ GET ], pathPattern: /product/*, per: [ ip ],
              tiers: [ { period: 10s, threshold: 100 } ] }
        """;
    /** If each of them stayed in memory, they would fill what it is given several times. */
    private static final long CALLERS = 600_000;

    private static final int ADDRESSES = 100_000;
    private static final int LINES = 400_000;
    /** Many times what it takes on a busy machine: the test finds time that grows with the log. */
    private static final double MOST_MICROS = 200;

    @TempDir
    private Path directory;

    private interface Writer {

        void writeTo(OutputStream log) throws IOException;
    }

    private String rehearse(String memory, Writer writer, String... options) throws Exception {
        return rehearse(memory, "-", writer, options);
    }

    private String rehearse(String memory, String logs, Writer writer, String... options) throws Exception {
        Path limits = Files.writeString(directory.resolve("limits.yml"), LIMITS);
        Path output = directory.resolve("report.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + memory,
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "rehearse",
                limits.toString(),
                logs));
        command.addAll(List.of(options));
        Process rehearse = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try (OutputStream log = new BufferedOutputStream(rehearse.getOutputStream(), 1 << 16)) {
            writer.writeTo(log);
        } catch (IOException e) {
            // it reads no more: its report says why
        }
        try {
            assertThat(rehearse.waitFor(3, TimeUnit.MINUTES)).isTrue();
        } finally {
            rehearse.destroyForcibly();
        }
        return Files.readString(output);
    }

    /** 20000 of them are active within the tier's period. */
    @Test
    void memoryDependsOnTheCallersThatAreActive() throws Exception {
        String report = rehearse("128m", log -> SeededLog.write(CALLERS, 0, log));
        assertThat(report).contains(CALLERS + " calls", "The limits refuse 0 calls (0%)");
    }

    /** Of lines that would fill the memory many times over while they wait for those before them. */
    @Test
    void longLinesThatWaitToBePutInOrderTakeBoundedMemory() throws Exception {
        String line = "203.0.113.7 - - [02/Mar/2026:00:00:01 +0000] \"GET /product/1?q=" + "x".repeat(40_000)
                + " HTTP/1.1\" 200 17 \"-\" \"-\"\n";
        String report = rehearse("64m", log -> {
            for (int i = 0; i < 5_000; i++) {
                log.write(line.getBytes(StandardCharsets.US_ASCII));
            }
        });
        assertThat(report).contains("5000 calls", "The limits refuse 4900 calls");
    }

    /** All of them are active within an hour. */
    @Test
    void aSuggestionTakesLittleMemoryForEachCaller() throws Exception {
        Path log = directory.resolve("access.log");
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(log), 1 << 16)) {
            for (int i = 0; i < 2 * ADDRESSES; i++) {
                int who = i % ADDRESSES;
                int second = (int) (i * 3600L / (2 * ADDRESSES));
                out.write(String.format(
                                "20.%d.%d.%d - - [02/Mar/2026:10:%02d:%02d +0000] \"GET /product/1 HTTP/1.1\" 200 17\n",
                                who >> 16, who >> 8 & 255, who & 255, second / 60, second % 60)
                        .getBytes(StandardCharsets.US_ASCII));
            }
        }
        Path suggested = directory.resolve("suggested.yml");
        String output = rehearse("60m", log.toString(), in -> {}, "--suggest", suggested.toString());
        assertThat(suggested).as(output).exists();
        assertThat(Files.readString(suggested))
                .contains("200000 calls of 100000 callers", "In these logs, it refuses nobody.", "threshold: 5 ");
    }

    @Test
    void saysThatThereIsTooLittleMemory() throws Exception {
        String report = rehearse("24m", log -> SeededLog.write(CALLERS, 0, log));
        assertThat(report)
                .contains("MB of memory; allow more, such as java -Xmx2g")
                .doesNotContain("\tat ");
    }

    /** By the processor time of the thread that reads and plays, which other processes make longer, but not much. */
    @Test
    void aLineTakesMicroseconds() throws Exception {
        Path limits = Files.writeString(directory.resolve("limits.yml"), LIMITS);
        Path log = directory.resolve("access.log");
        try (OutputStream out = Files.newOutputStream(log)) {
            SeededLog.write(LINES, 10_000, out);
        }
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        Invocation run = Invocation.of("rehearse", limits.toString(), log.toString());
        long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
        assertThat(run.out()).contains(LINES + " calls");
        assertThat(nanos / 1000.0 / LINES).isLessThan(MOST_MICROS);
    }
}
