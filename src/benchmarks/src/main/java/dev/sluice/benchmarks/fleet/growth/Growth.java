package dev.sluice.benchmarks.fleet.growth;

import dev.sluice.benchmarks.fleet.rig.MeasuredCall;
import dev.sluice.benchmarks.fleet.rig.Contestant;
import dev.sluice.benchmarks.fleet.rig.Crowd;
import dev.sluice.benchmarks.fleet.rig.Figure;
import dev.sluice.benchmarks.fleet.rig.Fleet;
import dev.sluice.benchmarks.fleet.rig.ExperimentPart;
import dev.sluice.benchmarks.fleet.rig.Pause;
import dev.sluice.benchmarks.fleet.rig.PlannedCall;
import dev.sluice.benchmarks.fleet.rig.Redis;
import dev.sluice.benchmarks.fleet.rig.Rule;
import dev.sluice.benchmarks.fleet.rig.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Plays the same number of calls with increasing numbers of callers, and prints the cost for Redis and the network. */
public final class Growth implements ExperimentPart {

    private static final List<String> QUICK = List.of(Contestant.SLUICE);
    private static final List<String> FULL = List.of(Contestant.INCREMENT, Contestant.ARTICLE, Contestant.SLUICE);
    private static final List<GrowthScene> QUICK_SCENES =
            List.of(new GrowthScene(3, 1_000), new GrowthScene(3, 10_000), new GrowthScene(20, 1_000));
    /**
     * The time before the measurement. In this time, the limiters create their counters and the JVM compiles the code.
     */
    private static final Duration LEAD = Duration.ofSeconds(10);

    private static final Duration MEASURED = Duration.ofSeconds(30);
    private static final Duration MEASURED_QUICKLY = Duration.ofSeconds(10);

    private final boolean quick;

    /**
     * Creates this part of the experiment. If {@code quick}, it measures only Sluice in a single window, and only a few
     * of the scenes unless a particular scene is requested.
     */
    public Growth(boolean quick) {
        this.quick = quick;
    }

    @Override
    public List<String> titles(String words) {
        return scenes(words).map(GrowthScene::title).toList();
    }

    private Stream<GrowthScene> scenes(String words) {
        List<GrowthScene> scenes = quick && words.isEmpty() ? QUICK_SCENES : GrowthScene.all();
        return scenes.stream().filter(scene -> scene.title().contains(words));
    }

    @Override
    public List<Figure> play(String words) {
        List<Figure> figures = new ArrayList<>();
        System.out.printf(
                Locale.ROOT,
                "%nGrowth: %,d calls per second, dealt evenly. Round trips are per instance and second.%n",
                GrowthScene.CALLS_PER_SECOND);
        System.out.printf(
                "%-22s %14s %12s %12s %9s %9s %10s %8s%n",
                "", "commands/call", "round trips", "CPU µs/call", "waits, %", "p99, µs", "p99.9, µs", "refused");
        try (Crowd crowd = new Crowd();
                Redis idle = Redis.open()) {
            scenes(words).forEach(scene -> {
                System.out.println(scene.title());
                for (String contestant : quick ? QUICK : FULL) {
                    GrowthOutcome outcome = play(scene, Contestant.named(contestant), crowd, idle);
                    System.out.println(outcome);
                    figures.addAll(GrowthFigures.of(outcome));
                }
            });
        }
        return figures;
    }

    private GrowthOutcome play(GrowthScene scene, Contestant contestant, Crowd crowd, Redis idle) {
        Duration measured = quick ? MEASURED_QUICKLY : MEASURED;
        List<PlannedCall> plan = scene.plan(LEAD, measured);
        try (Fleet fleet = new Fleet(contestant, Rule.ARTICLE, scene.instances())) {
            long start = System.nanoTime() + LEAD.toNanos();
            Crowd.Play play = crowd.start(plan, Crowd.callers(scene.callers()), fleet.instances(), start);
            Pause.untilNanos(start);
            Usage before = fleet.usage();
            Usage idleBefore = idle.usage();
            List<MeasuredCall> calls = play.await();
            Usage used = fleet.usage().since(before).lessIdle(idle.usage().since(idleBefore));
            return GrowthOutcome.of(contestant, scene, calls, used, measured);
        }
    }
}
