package dev.sluice.benchmarks.fleet.bursts;

import dev.sluice.benchmarks.fleet.rig.MeasuredCall;
import dev.sluice.benchmarks.fleet.rig.Contestant;
import dev.sluice.benchmarks.fleet.rig.Crowd;
import dev.sluice.benchmarks.fleet.rig.Figure;
import dev.sluice.benchmarks.fleet.rig.Fleet;
import dev.sluice.benchmarks.fleet.rig.ExperimentPart;
import dev.sluice.benchmarks.fleet.rig.Pause;
import dev.sluice.benchmarks.fleet.rig.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Plays short bursts of new callers to the contestants, one after the other, and prints which callers were refused
 * early.
 */
public final class Bursts implements ExperimentPart {

    private static final List<String> QUICK = List.of(Contestant.ARTICLE, Contestant.SLUICE);
    private static final List<String> FULL = List.of(
            Contestant.ARTICLE,
            Contestant.BUCKET4J,
            Contestant.BUCKET4J_DELAYING,
            Contestant.BUCKET4J_PREDICTING,
            Contestant.SLUICE,
            Contestant.SLUICE_EXACT);

    /**
     * The time between the first calls of two successive callers. It is chosen such that callers begin at all phases of
     * the interval between two exchanges.
     */
    private static final Duration BETWEEN_CALLERS = Duration.ofMillis(53);

    private static final Duration BETWEEN_CALLERS_OF_WARM_UP = Duration.ofMillis(13);
    private static final int FIRST_WARM_UPS = 4;
    /**
     * After the last call, instances still report to Redis during this time. These reports are part of the cost.
     */
    private static final Duration AFTERMATH = Duration.ofMillis(1_500);
    /** The maximum length of a play. Each play starts early enough to end before the window ends. */
    private static final Duration LONGEST_PLAY = Duration.ofSeconds(30);

    private final List<String> contestants;
    private final Set<String> warm = new HashSet<>();

    /**
     * Creates this part of the experiment. If {@code quick}, it plays the patterns only to the limiter from the article
     * and to Sluice.
     */
    public Bursts(boolean quick) {
        this.contestants = quick ? QUICK : FULL;
    }

    @Override
    public List<String> titles(String words) {
        return patterns(words).map(Pattern::title).toList();
    }

    @Override
    public List<Figure> play(String words) {
        List<Figure> figures = new ArrayList<>();
        System.out.printf(
                "%nBursts of %d new callers each. Early: refused although the limit was not used. A call waits if it"
                        + " takes over 0.5 ms.%n",
                Pattern.CALLERS);
        System.out.printf(
                "%-22s %8s %8s %6s %8s %9s %9s %11s %14s %7s %5s%n",
                "",
                "early, %",
                "callers",
                "over",
                "missing",
                "waits, %",
                "p99, ms",
                "trips/call",
                "commands/call",
                "pushes",
                "late");
        try (Crowd crowd = new Crowd()) {
            patterns(words).forEach(pattern -> {
                System.out.println(pattern.title());
                for (String contestant : contestants) {
                    figures.addAll(play(pattern, Contestant.named(contestant), crowd));
                }
            });
        }
        return figures;
    }

    private static Stream<Pattern> patterns(String words) {
        return Patterns.ALL.stream().filter(pattern -> pattern.title().contains(words));
    }

    private List<Figure> play(Pattern pattern, Contestant contestant, Crowd crowd) {
        if (!contestant.knows().test(pattern.rule())) {
            System.out.printf("%-22s %8s%n", contestant.name(), "-"); // this contestant cannot express the rule
            return List.of();
        }
        BurstsOutcome outcome = outcome(pattern, contestant, crowd);
        System.out.println(outcome);
        return BurstsFigures.of(outcome);
    }

    private BurstsOutcome outcome(Pattern pattern, Contestant contestant, Crowd crowd) {
        try (Fleet fleet = new Fleet(contestant, pattern.rule(), pattern.instances())) {
            int warmUps = warm.add(contestant.name()) ? FIRST_WARM_UPS : 1;
            for (int i = 0; i < warmUps; i++) {
                play(pattern.once(), fleet, crowd, "early-bird-" + i, BETWEEN_CALLERS_OF_WARM_UP);
            }
            Pause.millis(AFTERMATH.toMillis());
            pattern.rule().awaitTimeInWindows(LONGEST_PLAY);
            Usage before = fleet.usage();
            List<MeasuredCall> calls = play(pattern, fleet, crowd, "caller", BETWEEN_CALLERS);
            Pause.millis(AFTERMATH.toMillis());
            return BurstsOutcome.of(contestant, pattern, calls, fleet.usage().since(before));
        }
    }

    private static List<MeasuredCall> play(
            Pattern pattern, Fleet fleet, Crowd crowd, String kind, Duration betweenCallers) {
        return crowd.start(pattern.plan(betweenCallers), pattern.names(kind), fleet.instances(), System.nanoTime())
                .await();
    }
}
