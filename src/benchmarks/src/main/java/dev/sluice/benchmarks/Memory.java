package dev.sluice.benchmarks;

import dev.sluice.internal.limiter.CounterHeap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The memory of a shared counter, in bytes, for each of its states. The figures are the same in each run, because
 * objects are counted rather than sampled.
 */
final class Memory {

    private static final int COUNTERS = 100_000;

    private Memory() {}

    /** Prints one line per figure. */
    public static void main(String[] args) {
        CounterHeap.inVirtualTime(COUNTERS).forEach((when, bytes) -> System.out.println(when + "=" + bytes));
    }

    /** Measures the figures in a separate JVM. */
    static Map<String, Long> measure() throws IOException, InterruptedException {
        Process process = AllBenchmarks.fork(Memory.class)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Map<String, Long> bytes = new LinkedHashMap<>();
        for (String line : new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
            int equals = line.indexOf('=');
            bytes.put(line.substring(0, equals), Long.parseLong(line.substring(equals + 1)));
        }
        if (process.waitFor() != 0 || bytes.isEmpty()) {
            throw new IOException("the heap was not measured");
        }
        return bytes;
    }
}
