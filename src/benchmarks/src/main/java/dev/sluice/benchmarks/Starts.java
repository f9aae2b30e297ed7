package dev.sluice.benchmarks;

import dev.sluice.Call;
import dev.sluice.open.Sluice;
import dev.sluice.servlet.RateLimitFilter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.LoggerFactory;

/**
 * Measures how long the filter of a new process takes to become ready, and how long calls take while the limits are
 * reloaded. Each of these is measured in a separate JVM.
 *
 * <pre>java -cp target/benchmarks.jar dev.sluice.benchmarks.Starts</pre>
 */
final class Starts {

    private static final int STARTS = 11;
    private static final int RELOADS = 10;
    private static final int ENDPOINTS = 1_000;
    private static final long BETWEEN_CALLS_NANOS = 100_000;
    private static final long CALM_NANOS = 3_000_000_000L;
    private static final long WARM_UP_NANOS = 10_000_000_000L;
    private static final double MILLION = 1e6;

    private Starts() {}

    /** The duration of the longest call during each reload, and during a period of the same length without a reload. */
    record Reloads(double[] worstMillis, double[] calmMillis) {}

    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            for (int endpoints : new int[] {10, ENDPOINTS}) {
                Ready ready = starts(endpoints);
                System.out.printf(
                        "ready with %d endpoints: %.0f ms, again %.0f ms%n",
                        endpoints, median(ready.first), median(ready.second));
            }
            Reloads reloads = reloads();
            System.out.printf("longest call during a reload: %.2f ms%n", median(reloads.worstMillis));
            System.out.printf("longest call without a reload: %.2f ms%n", median(reloads.calmMillis));
        } else if (args[0].equals("reload")) {
            reload();
        } else {
            start(Integer.parseInt(args[0]));
        }
        System.exit(0);
    }

    /**
     * The time until the filter is ready, in milliseconds, for each of several JVMs.
     *
     * @param first the times for the first filter in a JVM. Creating it loads all the classes
     * @param second the times for the second filter. The classes have already been loaded by then
     */
    record Ready(double[] first, double[] second) {}

    static Ready starts(int endpoints) throws IOException {
        double[] first = new double[STARTS];
        double[] second = new double[STARTS];
        for (int i = 0; i < STARTS; i++) {
            double[] both = numbers(forked(Integer.toString(endpoints)).get(0));
            first[i] = both[0];
            second[i] = both[1];
        }
        return new Ready(first, second);
    }

    static Reloads reloads() throws IOException {
        List<String> lines = forked("reload");
        return new Reloads(numbers(lines.get(0)), numbers(lines.get(1)));
    }

    private static List<String> forked(String argument) throws IOException {
        Process process = AllBenchmarks.fork(Starts.class, argument)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return said.lines().toList();
    }

    private static double[] numbers(String line) {
        return List.of(line.split(" ")).stream()
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    private static void start(int endpoints) throws Exception {
        LoggerFactory.getLogger(Starts.class); // a real application would already have used its logger
        Path file = Files.createTempFile("limits", ".yml");
        write(file, endpoints, 100);
        System.out.println(readyMillis(file) + " " + readyMillis(file));
        Files.delete(file);
    }

    private static double readyMillis(Path file) {
        long before = System.nanoTime();
        Sluice limiter = Sluice.open(file.toString());
        RateLimitFilter filter = new RateLimitFilter(limiter);
        limiter.decide(call(0));
        double millis = (System.nanoTime() - before) / MILLION;
        filter.destroy();
        limiter.close();
        return millis;
    }

    private static void reload() throws Exception {
        Path file = Files.createTempFile("limits", ".yml");
        write(file, ENDPOINTS, 1_000_000);
        try (Sluice limiter = Sluice.open(file.toString())) {
            longest(limiter, System.nanoTime() + WARM_UP_NANOS);
            List<Double> beside = new ArrayList<>();
            List<Double> calm = new ArrayList<>();
            for (int i = 0; i < RELOADS; i++) {
                calm.add(longest(limiter, System.nanoTime() + CALM_NANOS));
                write(file, ENDPOINTS, 1_000_001 + i);
                beside.add(longest(limiter, System.nanoTime() + CALM_NANOS));
                if (limiter.limits().endpoints().get(0).tiers().get(0).limit().threshold() != 1_000_001 + i) {
                    throw new IllegalStateException("the limits were not read again");
                }
            }
            print(beside);
            print(calm);
        }
        Files.delete(file);
    }

    private static void print(List<Double> millis) {
        System.out.println(String.join(" ", millis.stream().map(String::valueOf).toList()));
    }

    /** Makes ten thousand calls per second, and returns the duration of the longest call in milliseconds. */
    private static double longest(Sluice limiter, long untilNanos) {
        long longest = 0;
        int number = 0;
        for (long before = System.nanoTime(); before < untilNanos; before = System.nanoTime()) {
            limiter.decide(call(number++ % ENDPOINTS));
            longest = Math.max(longest, System.nanoTime() - before);
            LockSupport.parkNanos(BETWEEN_CALLS_NANOS);
        }
        return longest / MILLION;
    }

    private static void write(Path file, int endpoints, int threshold) throws IOException {
        StringBuilder text = new StringBuilder("reload: 1s\nendpoints:\n");
        for (int i = 0; i < endpoints; i++) {
            text.append("""
                  - id: endpoint-%d
                    methods: [ GET, POST ]
                    pathPattern: /api/resource-%d/{id}/*
                    tiers: [ { period: 10s, threshold: %d } ]
                """.formatted(i, i, threshold));
        }
        Files.writeString(file, text);
    }

    private static Call call(int endpoint) {
        return new Call() {
            @Override
            public String method() {
                return "GET";
            }

            @Override
            public String path() {
                return "/api/resource-" + endpoint + "/17/items";
            }

            @Override
            public String ip() {
                return "203.0.113.1";
            }
        };
    }

    private static double median(double[] values) {
        return AllBenchmarks.median(java.util.Arrays.stream(values).boxed().toList(), Double::doubleValue);
    }
}
