package dev.sluice.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs all benchmarks and prints which goals they have reached. Each round runs all contestants one after the other,
 * each in its own JVM. Therefore, if the machine is busy for a while, all contestants are affected. Each ratio is
 * computed within one round, from the medians of the contestants' iterations. The result is the median over the rounds.
 * The process exits with status 1 if any goal is missed.
 *
 * <pre>
 * mvn -q package
 * java -jar target/benchmarks.jar           # five rounds, about half an hour on two cores
 * java -jar target/benchmarks.jar 1         # one round, for a first look
 * java -jar target/benchmarks.jar 5 Filter  # only the benchmarks whose name contains this word
 * </pre>
 */
public final class AllBenchmarks {

    /**
     * The JVM options. Without them, a benchmark would also measure the first access to each memory page, and the
     * copying of live objects that the garbage collector has not promoted yet.
     */
    static final List<String> JVM_OPTIONS =
            List.of("-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch", "-XX:MaxTenuringThreshold=1");

    private static final List<Goal> GOALS = goals();

    /** The figures of each round, by contestant. */
    private final List<Map<String, Figures>> rounds = new ArrayList<>();

    private final String only;

    private AllBenchmarks(String only) {
        this.only = only;
    }

    /**
     * The figures of one contestant in one round.
     *
     * @param nanos the time per call in nanoseconds, averaged over threads
     * @param bytes the number of bytes allocated per call
     */
    private record Figures(double nanos, double bytes) {}

    /**
     * A goal for one contestant compared with another.
     *
     * @param claim the goal, in words
     * @param ours the contestant
     * @param theirs the contestant that it is compared with
     * @param measure the figure to compare
     * @param most the maximum ratio or difference; infinite if there is no goal
     */
    private record Goal(String claim, String ours, String theirs, Measure measure, double most) {}

    /** A way to compare two contestants. */
    private enum Measure {
        RATIO_OF_TIMES("x", (ours, theirs) -> ours.nanos / theirs.nanos),
        FURTHER_BYTES(" B", (ours, theirs) -> ours.bytes - theirs.bytes);

        private final String unit;
        private final ToDoubleBiFunction<Figures, Figures> comparison;

        Measure(String unit, ToDoubleBiFunction<Figures, Figures> comparison) {
            this.unit = unit;
            this.comparison = comparison;
        }

        double of(Figures ours, Figures theirs) {
            return comparison.applyAsDouble(ours, theirs);
        }
    }

    private static List<Goal> goals() {
        List<Goal> goals = new ArrayList<>();
        for (String spread : List.of("ZIPF", "UNIFORM")) {
            for (int threads : new int[] {1, 2}) {
                String claim = "decide / bare Caffeine, " + spread + ", threads " + threads;
                goals.add(times(claim, name("Decide.sluice", spread, threads), name("Decide.bareCaffeine", spread, threads), 2));
            }
            String claim = "bytes of decide beyond the strings, " + spread;
            goals.add(bytes(claim, name("Decide.sluice", spread, 1), name("Decide.stringsAlone", spread, 1), 64));
        }
        for (int threads : new int[] {1, 2}) {
            String sluice = name("Filter.sluice", "ZIPF", threads);
            String tomcat = name("Filter.tomcat", "ZIPF", threads);
            String silent = name("Filter.tomcatSilent", "ZIPF", threads);
            String byAddress = name("Filter.sluiceByAddress", "ZIPF", threads);
            goals.add(times("filter with one limit by address / Tomcat's filter, threads " + threads, byAddress, tomcat, 1));
            goals.add(times("filter with 100 endpoints / Tomcat's filter, threads " + threads, sluice, tomcat, 1));
            goals.add(times("filter with 100 endpoints / Tomcat's without headers, threads " + threads, sluice, silent, Double.POSITIVE_INFINITY));
        }
        for (String contestant : List.of("sluice", "tomcat")) {
            goals.add(bytes(
                    "bytes of a request through " + contestant,
                    name("Filter." + contestant, "ZIPF", 1),
                    name("Filter.requestsAlone", "ZIPF", 1),
                    Double.POSITIVE_INFINITY));
        }
        for (String kind : List.of("SERVICE", "ENDINGS")) {
            String many = name("Endpoints.decide", "1000," + kind, 1);
            goals.add(times("1000 / 10 endpoints, " + kind, many, name("Endpoints.decide", "10," + kind, 1), 1.3));
        }
        for (String kind : List.of("EXACT", "GLOBS")) {
            String many = name("Clients.decide", "10000," + kind, 1);
            goals.add(times("10,000 / 10 clients, " + kind, many, name("Clients.decide", "10," + kind, 1), 1.1));
            String none = name("Clients.decide", "0," + kind, 1);
            goals.add(times("10,000 / no clients, " + kind, many, none, Double.POSITIVE_INFINITY));
        }
        for (String path : List.of("admitted", "refused")) {
            for (int threads : new int[] {1, 2, 8, 64}) {
                String one = name("HotTenant." + path, "ONE", threads);
                String many = name("HotTenant." + path, "UNIFORM", threads);
                goals.add(times("one tenant / 10,000, " + path + ", threads " + threads, one, many, 1));
            }
        }
        for (String layout : List.of("TWO_TIERS", "TWO_ENDPOINTS_OF_TWO_TIERS")) {
            String ours = name("Tiers.decide", layout, 1);
            goals.add(times(layout + " / ONE_TIER", ours, name("Tiers.decide", "ONE_TIER", 1), Double.POSITIVE_INFINITY));
        }
        for (int threads : new int[] {1, 2}) {
            goals.addAll(ofAlgorithms(threads));
        }
        return goals;
    }

    private static List<Goal> ofAlgorithms(int threads) {
        List<Goal> goals = new ArrayList<>();
        for (AlgorithmsBenchmark.Algorithm algorithm : AlgorithmsBenchmark.Algorithm.values()) {
            String ours = name("Algorithms.decide", algorithm.name(), threads);
            String fixed = name("Algorithms.decide", "FIXED_WINDOW", threads);
            if (!ours.equals(fixed)) {
                goals.add(times(algorithm + " / FIXED_WINDOW, threads " + threads, ours, fixed, 1.5));
            }
        }
        String bucket = name("Algorithms.decide", "TOKEN_BUCKET", threads);
        goals.add(times("token bucket / Bucket4j, threads " + threads, bucket, name("Algorithms.bucket4j", "", threads), 1));
        return goals;
    }

    private static Goal times(String claim, String ours, String theirs, double most) {
        return new Goal(claim, ours, theirs, Measure.RATIO_OF_TIMES, most);
    }

    private static Goal bytes(String claim, String ours, String theirs, double most) {
        return new Goal(claim, ours, theirs, Measure.FURTHER_BYTES, most);
    }

    private static String name(String benchmark, String params, int threads) {
        return benchmark + " " + params + " " + threads;
    }

    /** Arguments: the number of rounds, and a part of the name of the benchmarks to run. */
    public static void main(String[] args) throws RunnerException {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        AllBenchmarks report = new AllBenchmarks(args.length > 1 ? args[1] : "");
        for (int round = 0; round < count; round++) {
            report.run();
        }
        report.print();
        System.exit(report.missed() ? 1 : 0);
    }

    private void run() throws RunnerException {
        Map<String, Figures> figures = new HashMap<>();
        for (int threads : new int[] {1, 2}) {
            measure(figures, "Decide", threads);
            measure(figures, "Filter", threads);
        }
        measure(figures, "Endpoints", 1);
        measure(figures, "Clients", 1);
        for (int threads : new int[] {1, 2, 8, 64}) {
            measure(figures, "HotTenant", threads);
        }
        measure(figures, "Tiers", 1);
        for (int threads : new int[] {1, 2}) {
            measure(figures, "Algorithms", threads);
        }
        rounds.add(figures);
    }

    private void measure(Map<String, Figures> figures, String benchmark, int threads) throws RunnerException {
        if (!benchmark.contains(only)) {
            return;
        }
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include("\\." + benchmark + "Benchmark\\.")
                        // Measure the total throughput, because in a mean of times, a thread that has hardly run would
                        // dominate.
                        .mode(Mode.Throughput)
                        .timeUnit(TimeUnit.NANOSECONDS)
                        .threads(threads)
                        .forks(1)
                        .warmupIterations(6)
                        .warmupTime(TimeValue.milliseconds(300))
                        .measurementIterations(10)
                        // The time is long enough for each thread to run several times.
                        .measurementTime(TimeValue.milliseconds(threads <= 2 ? 150 : 1_000))
                        .jvmArgs(JVM_OPTIONS.toArray(String[]::new))
                        .addProfiler(GCProfiler.class)
                        .build())
                .run();
        for (RunResult result : results) {
            String method = result.getParams().getBenchmark();
            String params = String.join(",", paramsOf(result));
            String name = benchmark + method.substring(method.lastIndexOf('.'));
            Result<?> bytes = result.getSecondaryResults().get("gc.alloc.rate.norm");
            double callsANano = result.getPrimaryResult().getStatistics().getPercentile(50);
            figures.put(name(name, params, threads), new Figures(threads / callsANano, bytes == null ? Double.NaN : bytes.getScore()));
        }
    }

    private static Collection<String> paramsOf(RunResult result) {
        Map<String, String> params = new TreeMap<>();
        result.getParams().getParamsKeys().forEach(key -> params.put(key, result.getParams().getParam(key)));
        return params.values();
    }

    private void print() {
        System.out.printf("%n%-62s %12s %10s%n", "contestant", "ns a call", "B a call");
        rounds.get(0).keySet().stream().sorted().forEach(name -> System.out.printf(
                "%-62s %12.1f %10.0f%n",
                name,
                median(rounds, round -> round.get(name).nanos()),
                median(rounds, round -> round.get(name).bytes())));
        System.out.printf("%n%-62s %12s %10s%n", "goal", "measured", "at most");
        for (Goal goal : GOALS) {
            if (rounds.get(0).containsKey(goal.ours())) {
                boolean claimed = goal.most() < Double.POSITIVE_INFINITY;
                String most = claimed ? "%.2f%s".formatted(goal.most(), goal.measure().unit) : "-";
                String verdict = !claimed ? "" : met(goal) ? "pass" : "MISSED";
                System.out.printf("%-62s %9.2f%-3s %10s  %s%n", goal.claim(), measured(goal), goal.measure().unit, most, verdict);
            }
        }
    }

    /** Prepares a JVM that runs the given class with the options used for all measurements. */
    public static ProcessBuilder fork(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_OPTIONS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    private boolean missed() {
        return GOALS.stream().anyMatch(goal -> rounds.get(0).containsKey(goal.ours()) && !met(goal));
    }

    private boolean met(Goal goal) {
        return measured(goal) <= goal.most();
    }

    private double measured(Goal goal) {
        return median(rounds, round -> goal.measure().of(round.get(goal.ours()), round.get(goal.theirs())));
    }

    static <T> double median(List<T> measured, ToDoubleFunction<T> figure) {
        double[] sorted = measured.stream().mapToDouble(figure).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
