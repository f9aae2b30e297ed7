package dev.sluice.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the two contestants of a duel (see {@link Duels}) in alternating turns of a few milliseconds, in a separate JVM,
 * and measures the CPU time of one thread. The result is the median of the ratios of neighbouring turns. Therefore,
 * other load on the machine affects the turns of both contestants, but not the comparison. By contrast, JMH runs each
 * contestant for several seconds, and on a busy machine, conditions change from one second to the next. Turns are
 * harder on both contestants, because each turn starts with CPU caches that the other contestant has filled.
 *
 * <p>A duel runs in several JVMs, alternating which contestant is set up first. The order determines whose objects
 * leave the young generation first, and which methods are compiled first. This can change times by a fifth. For the
 * same reason, all live objects are moved to the old generation at the start, as in a server that has been running for
 * an hour.
 *
 * <pre>java -cp target/benchmarks.jar dev.sluice.benchmarks.Turns [words of a duel]</pre>
 */
public final class Turns {

    private static final int WARM_UP_TURNS = 80;
    private static final int TURNS = 51;
    private static final int JVMS = 6;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private Turns() {}

    /** A contestant that does its work in turns of a few milliseconds. */
    interface Contestant {

        /** Plays a turn, and returns the CPU time per call. */
        double turn() throws Exception;
    }

    /** The cost of a call in one JVM. */
    record Score(double ourNanos, double theirNanos, double ratio) {

        static Score median(List<Score> scores) {
            return new Score(
                    AllBenchmarks.median(scores, Score::ourNanos),
                    AllBenchmarks.median(scores, Score::theirNanos),
                    AllBenchmarks.median(scores, Score::ratio));
        }
    }

    /**
     * Arguments: words from the names of the duels to run, or none for all duels; {@code --duel NAME first|last} in the
     * JVM of a duel.
     */
    public static void main(String[] args) throws Exception {
        if (args.length == 3 && args[0].equals("--duel")) {
            try {
                Score score = play(Duels.named(args[1]), args[2].equals("first"));
                System.out.println(score.ourNanos + " " + score.theirNanos + " " + score.ratio);
                System.exit(0);
            } catch (Throwable e) { // otherwise, threads of a contestant would keep this process alive
                e.printStackTrace();
                System.exit(1);
            }
        }
        String words = String.join(" ", args);
        List<Duels.Duel> duels = Duels.ALL.stream().filter(duel -> duel.name().contains(words)).toList();
        if (duels.isEmpty()) {
            System.err.println("no duel has \"" + words + "\" in its name; the duels are: "
                    + String.join("; ", Duels.ALL.stream().map(Duels.Duel::name).toList()));
            System.exit(2);
        }
        System.out.printf("%-54s %9s %9s %9s%n", "", "first, ns", "second", "ratio");
        for (Duels.Duel duel : duels) {
            Score score = Score.median(fight(duel, JVMS));
            System.out.printf("%-54s %9.1f %9.1f %8.2fx%n", duel.name(), score.ourNanos, score.theirNanos, score.ratio);
        }
    }

    /** Runs a duel in the given number of JVMs, one after the other. */
    static List<Score> fight(Duels.Duel duel, int jvms) throws IOException {
        List<Score> scores = new ArrayList<>();
        for (int i = 0; i < jvms; i++) {
            scores.add(fork(duel, i));
        }
        return scores;
    }

    /** Runs a duel once, in its own JVM. The number determines which contestant is set up first. */
    static Score fork(Duels.Duel duel, int number) throws IOException {
        Process process = AllBenchmarks.fork(Turns.class, "--duel", duel.name(), number % 2 == 0 ? "first" : "last")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        String[] figures = said.substring(said.lastIndexOf('\n') + 1).split(" ");
        if (figures.length != 3) {
            throw new IOException("the duel " + duel.name() + " did not finish: " + said);
        }
        return new Score(Double.parseDouble(figures[0]), Double.parseDouble(figures[1]), Double.parseDouble(figures[2]));
    }

    private static Score play(Duels.Duel duel, boolean oursFirst) throws Exception {
        Contestant early = (oursFirst ? duel.ours() : duel.theirs()).call();
        Contestant late = (oursFirst ? duel.theirs() : duel.ours()).call();
        Contestant ours = oursFirst ? early : late;
        Contestant theirs = oursFirst ? late : early;
        List<Score> scores = new ArrayList<>();
        for (int turn = -WARM_UP_TURNS; turn < TURNS; turn++) {
            double our = ours.turn();
            double their = theirs.turn();
            if (turn >= 0) {
                scores.add(new Score(our, their, our / their));
            }
        }
        return Score.median(scores);
    }

    /** The CPU time that the current thread has used. */
    static long cpuNanos() {
        return THREADS.getCurrentThreadCpuTime();
    }
}
