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
 * Whether a decision, a request, an exchange or a counter takes more than {@code benchmarks/results.csv} says, by over
 * 15 %. Takes under five minutes. Ends with status 1 if one does, or if there is no figure to compare with.
 *
 * <p>Times are in proportion to the yardstick, a bare look-up in a Caffeine cache and an increment, which takes turns
 * with what is measured: see {@link Turns}. What counts is the median of several JVMs. They are begun in turn, so that
 * a busy minute meets all. What seems slower is measured again as often, and the median of all decides. Between JVMs
 * the ratio of the same code differs by some per cent, so 20 % more are noticed nearly always, 15 % every other time,
 * and 10 % hardly ever. Bytes are exact: 2 % more are too many.
 *
 * <p>The yardstick suffers more than an exchange if others use the processor's caches: results are to be of a quiet
 * machine. Then a busy one hides up to 15 % of an exchange, and raises no false alarm. The proportions differ between
 * kinds of processors: on another machine than that of the results, measure the last release there first, with
 * {@link Peers}.
 *
 * <pre>mvn -Pbench verify</pre>
 */
public final class Regressions {

    private static final double MOST_WORSE = 1.15;
    private static final double MOST_BYTES = 1.02;
    /** Even, so that either is set up first as often. */
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
                    + ". If that is wanted, measure anew: java -cp target/benchmarks.jar dev.sluice.benchmarks.Peers");
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
        if (!(now <= mostWorse * then)) { // nor what could not be measured
            worse.add(what);
        }
    }
}
