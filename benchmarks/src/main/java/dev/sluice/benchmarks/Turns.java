package dev.sluice.benchmarks;

import dev.sluice.benchmarks.AlgorithmsBenchmark.Algorithm;
import dev.sluice.limiter.CountingRateLimiter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.infra.Blackhole;

/**
 * The comparisons of {@link Report} for one thread, by contestants that take turns: two at a time, in a JVM of their own, a few milliseconds each,
 * by the processor time of the thread. A ratio is the median of those of neighbouring turns, so what else the machine does at the time
 * spoils turns of both, and not the comparison; JMH gives each contestant seconds of its own, and on a busy machine it is the seconds
 * that differ. It is the harder comparison of two: each finds the processor's caches as the other has left them.
 *
 * <p>A duel is fought in several JVMs, and who is set up first alternates: that decides whose objects are moved out of the young generation
 * first and which methods are compiled first, and can make a fifth of the time. For the same reason all that lives is moved at once, as it
 * is in a server that has run for an hour.
 *
 * <pre>java -cp target/benchmarks.jar dev.sluice.benchmarks.Turns [words of a claim]</pre>
 */
public final class Turns {

    private static final int CALLS = 100_000;
    private static final int WARM_UP_TURNS = 80;
    private static final int TURNS = 51;
    private static final int JVMS = 6;

    private static final List<Duel> DUELS = duels();

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /**
     * Takes results, so that no call can be left out. An object put into a field would cost more than a number: it
     * makes the garbage collector look.
     */
    private static final Blackhole RESULTS =
            new Blackhole("Today's password is swordfish. I understand instantiating Blackholes directly is dangerous.");

    private Turns() {}

    /** Two contestants, and how much of the second's time the first may take. */
    private record Duel(String claim, double most, Callable<Contestant> ours, Callable<Contestant> theirs) {}

    /** Makes a call, and gives its result to {@link #RESULTS}. */
    private interface Contestant {
        void call() throws Exception;
    }

    private static List<Duel> duels() {
        List<Duel> duels = new ArrayList<>();
        for (Spread spread : List.of(Spread.ZIPF, Spread.UNIFORM)) {
            duels.add(new Duel(
                    "decide / bare Caffeine, " + spread,
                    2,
                    () -> decisions(Endpoints.ofService(100), spread, Endpoints.someServicePaths()),
                    () -> bareCaffeine(spread)));
        }
        duels.add(new Duel(
                "filter with one limit by address / Tomcat's filter",
                1,
                () -> requests(FilterBenchmark::sluiceByAddress),
                () -> requests(FilterBenchmark::tomcat)));
        duels.add(new Duel(
                "filter with 100 endpoints / Tomcat's filter",
                1,
                () -> requests(FilterBenchmark::sluice),
                () -> requests(FilterBenchmark::tomcat)));
        duels.add(new Duel(
                "1000 / 10 endpoints",
                1.3,
                () -> decisions(Endpoints.ofService(1000), Spread.UNIFORM, Endpoints.pathsOfService(1000)),
                () -> decisions(Endpoints.ofService(10), Spread.UNIFORM, Endpoints.pathsOfService(10))));
        duels.add(new Duel(
                "1000 / 10 endpoints that differ in an ending",
                1.3,
                () -> decisions(Endpoints.ofEndings(1000), Spread.UNIFORM, Endpoints.pathsOfEndings(1000)),
                () -> decisions(Endpoints.ofEndings(10), Spread.UNIFORM, Endpoints.pathsOfEndings(10))));
        for (Algorithm algorithm : Algorithm.values()) {
            if (algorithm != Algorithm.FIXED_WINDOW) {
                duels.add(new Duel(
                        algorithm + " / FIXED_WINDOW", 1.5, () -> algorithm(algorithm), () -> algorithm(Algorithm.FIXED_WINDOW)));
            }
        }
        duels.add(new Duel("token bucket / Bucket4j", 1, () -> algorithm(Algorithm.TOKEN_BUCKET), Turns::bucket4j));
        return duels;
    }

    private static Contestant decisions(Endpoints endpoints, Spread spread, String... paths) {
        CountingRateLimiter limiter = endpoints.open();
        Caller caller = Caller.byHeader(Tenants.named(spread), paths);
        return () -> RESULTS.consume(limiter.decide(caller.next()));
    }

    private static Contestant bareCaffeine(Spread spread) {
        DecideBenchmark benchmark = new DecideBenchmark();
        benchmark.spread = spread;
        benchmark.open();
        DecideBenchmark.Calls calls = new DecideBenchmark.Calls();
        calls.begin(benchmark);
        return () -> RESULTS.consume(benchmark.bareCaffeine(calls));
    }

    /** One way of filtering requests. */
    private interface Filtering {
        long pass(FilterBenchmark benchmark, FilterBenchmark.Requests requests) throws Exception;
    }

    private static Contestant requests(Filtering filtering) throws Exception {
        FilterBenchmark benchmark = new FilterBenchmark();
        benchmark.spread = Spread.ZIPF;
        benchmark.open();
        FilterBenchmark.Requests requests = new FilterBenchmark.Requests();
        requests.begin(benchmark);
        return () -> RESULTS.consume(filtering.pass(benchmark, requests));
    }

    private static Contestant algorithm(Algorithm algorithm) {
        AlgorithmsBenchmark.Sluice sluice = new AlgorithmsBenchmark.Sluice();
        sluice.algorithm = algorithm;
        sluice.open();
        AlgorithmsBenchmark.Calls calls = new AlgorithmsBenchmark.Calls();
        AlgorithmsBenchmark benchmark = new AlgorithmsBenchmark();
        return () -> RESULTS.consume(benchmark.decide(sluice, calls));
    }

    private static Contestant bucket4j() {
        AlgorithmsBenchmark.Buckets buckets = new AlgorithmsBenchmark.Buckets();
        buckets.open();
        AlgorithmsBenchmark.Calls calls = new AlgorithmsBenchmark.Calls();
        AlgorithmsBenchmark benchmark = new AlgorithmsBenchmark();
        return () -> RESULTS.consume(benchmark.bucket4j(buckets, calls));
    }

    /** What a call took in one JVM. */
    private record Score(double ourNanos, double theirNanos, double ratio) {

        static Score median(List<Score> scores) {
            return new Score(
                    Report.median(scores, Score::ourNanos),
                    Report.median(scores, Score::theirNanos),
                    Report.median(scores, Score::ratio));
        }
    }

    /**
     * Arguments: words of the claims to be looked at, all if there are none; {@code --duel N first|last} in a JVM of
     * its own.
     */
    public static void main(String[] args) throws Exception {
        if (args.length == 3 && args[0].equals("--duel")) {
            Score score = play(DUELS.get(Integer.parseInt(args[1])), args[2].equals("first"));
            System.out.println(score.ourNanos + " " + score.theirNanos + " " + score.ratio);
            System.exit(0);
        }
        String words = String.join(" ", args);
        if (DUELS.stream().noneMatch(duel -> duel.claim.contains(words))) {
            System.err.println("no comparison has \"" + words + "\" in its name; there are: "
                    + String.join("; ", DUELS.stream().map(Duel::claim).toList()));
            System.exit(2);
        }
        System.out.printf("%-54s %9s %9s %9s %8s%n", "", "ours, ns", "theirs", "ratio", "at most");
        int missed = 0;
        for (int i = 0; i < DUELS.size(); i++) {
            if (DUELS.get(i).claim.contains(words)) {
                missed += isWon(i) ? 0 : 1;
            }
        }
        System.exit(missed == 0 ? 0 : 1);
    }

    private static boolean isWon(int number) throws IOException {
        List<Score> scores = new ArrayList<>();
        for (int i = 0; i < JVMS; i++) {
            scores.add(fork(number, i % 2 == 0 ? "first" : "last"));
        }
        Duel duel = DUELS.get(number);
        Score score = Score.median(scores);
        System.out.printf(
                "%-54s %9.1f %9.1f %8.2fx %7.2fx  %s%n",
                duel.claim, score.ourNanos, score.theirNanos, score.ratio, duel.most, score.ratio <= duel.most ? "pass" : "MISSED");
        return score.ratio <= duel.most;
    }

    private static Score fork(int duel, String place) throws IOException {
        Process process = Report.fork(Turns.class, "--duel", Integer.toString(duel), place)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String[] figures = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip().split(" ");
        return new Score(Double.parseDouble(figures[0]), Double.parseDouble(figures[1]), Double.parseDouble(figures[2]));
    }

    private static Score play(Duel duel, boolean oursFirst) throws Exception {
        Runnable early = manyCalls((oursFirst ? duel.ours : duel.theirs).call());
        Runnable late = manyCalls((oursFirst ? duel.theirs : duel.ours).call());
        Runnable ours = oursFirst ? early : late;
        Runnable theirs = oursFirst ? late : early;
        List<Score> scores = new ArrayList<>();
        for (int turn = -WARM_UP_TURNS; turn < TURNS; turn++) {
            double our = nanosOfACall(ours);
            double their = nanosOfACall(theirs);
            if (turn >= 0) {
                scores.add(new Score(our, their, our / their));
            }
        }
        return Score.median(scores);
    }

    private static Runnable manyCalls(Contestant contestant) {
        return () -> {
            try {
                for (int i = 0; i < CALLS; i++) {
                    contestant.call();
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
    }

    private static double nanosOfACall(Runnable calls) {
        long before = THREADS.getCurrentThreadCpuTime();
        calls.run();
        return (double) (THREADS.getCurrentThreadCpuTime() - before) / CALLS;
    }
}
