package dev.sluice.benchmarks;

import dev.sluice.benchmarks.Duels.Duel;
import dev.sluice.benchmarks.Turns.Score;
import dev.sluice.results.Results;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks whether a decision, a request, an exchange or a counter costs over 15 % more than in
 * {@code benchmarks/results.csv}. The check takes less than five minutes. It exits with status 1 if any of them does,
 * or if there is no figure to compare it with.
 *
 * <p>Times are measured as ratios to the yardstick, which is a bare lookup in a Caffeine cache and an increment. The
 * yardstick and the measured code run alternately; see {@link Turns}. The result is the median over several JVMs. The
 * JVMs of different subjects alternate, so if the machine is busy for a minute, all subjects are affected. If a subject
 * seems slower, it is measured again in the same number of JVMs, and the median over all its JVMs is used. The ratio
 * for the same code varies by a few per cent from one JVM to another. The check therefore almost always detects an
 * increase of 20 %, detects an increase of 15 % about half of the time, and hardly ever detects an increase of 10 %.
 * Byte counts are exact, so an increase of 2 % is treated as a failure.
 *
 * <p>Other processes that use the CPU caches slow down the yardstick more than an exchange, so the stored results
 * should be measured on an otherwise idle machine. A check on a busy machine can then overlook an increase of up to 15
 * % in the cost of an exchange, but it does not raise false alarms. The ratios depend on the kind of CPU. Before a
 * check on a different machine, measure the last release there with {@link Peers}.
 *
 * <pre>mvn -Pbench verify</pre>
 */
public final class Regressions {

    private static final double MOST_WORSE = 1.15;
    private static final double MOST_BYTES = 1.02;
    /** The number of JVMs. It is even, so that each of the two contestants is set up first in half of the JVMs. */
    private static final int JVMS = 6;

    private final Results before;
    private final List<String> worse = new ArrayList<>();

    private Regressions(Results before) {
        this.before = before;
    }

    public static void main(String[] args) throws Exception {
        Measured measured = Measured.here();
        Regressions regressions = new Regressions(Results.read(measured.project().resolve(Results.FILE)));
        System.out.printf("%-45s %10s %10s %9s%n", "", "before", "now", "change");
        regressions.times();
        regressions.bytes();
        if (!regressions.worse.isEmpty()) {
            System.err.println("Worse than " + Results.FILE + " says, by over 15 %, or 2 % of bytes: " + String.join("; ", regressions.worse)
                    + ". If intended, measure again: java -cp target/benchmarks.jar dev.sluice.benchmarks.Peers");
        }
        System.exit(regressions.worse.isEmpty() ? 0 : 1);
    }

    private void times() throws IOException {
        Map<Duel, List<Score>> scores = new LinkedHashMap<>();
        for (int i = 0; i < JVMS; i++) {
            for (Duel duel : Duels.ALL) {
                if (duel.kind() == Duels.Kind.YARDSTICK) {
                    scores.computeIfAbsent(duel, key -> new ArrayList<>()).add(Turns.fork(duel, i));
                }
            }
        }
        for (Map.Entry<Duel, List<Score>> fought : scores.entrySet()) {
            Duel duel = fought.getKey();
            double ratio = before(duel.subject(), duel.pair(), "ratio");
            if (!(Score.median(fought.getValue()).ratio() <= MOST_WORSE * ratio)) {
                for (int i = 0; i < JVMS; i++) {
                    fought.getValue().add(Turns.fork(duel, JVMS + i));
                }
            }
            judge(duel.name(), ratio, Score.median(fought.getValue()).ratio(), MOST_WORSE);
        }
    }

    private void bytes() throws IOException, InterruptedException {
        Memory.measure().forEach((when, bytes) ->
                judge("bytes of a counter: " + when, before("counter", when, "heap"), bytes, MOST_BYTES));
    }

    private double before(String subject, String contestant, String figure) {
        return before.find(subject, contestant, figure)
                .orElseThrow(() -> new IllegalStateException(Results.FILE + " has no " + figure + " of " + subject + ", "
                        + contestant + "; measure the last release: java -cp target/benchmarks.jar dev.sluice.benchmarks.Peers"))
                .value();
    }

    private void judge(String what, double then, double now, double mostWorse) {
        System.out.printf("%-45s %10.2f %10.2f %+8.1f %%%n", what, then, now, 100 * (now / then - 1));
        if (!(now <= mostWorse * then)) { // this form also reports figures that could not be measured
            worse.add(what);
        }
    }
}
