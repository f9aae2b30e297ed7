package dev.sluice.benchmarks.fleet.stores;

import dev.sluice.benchmarks.fleet.rig.MeasuredCall;
import dev.sluice.benchmarks.fleet.rig.Crowd;
import dev.sluice.benchmarks.fleet.rig.Figure;
import dev.sluice.benchmarks.fleet.rig.ExperimentPart;
import dev.sluice.benchmarks.fleet.rig.Pause;
import dev.sluice.benchmarks.fleet.rig.StoreUse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Plays the same calls to Sluice, first on Redis and then on MongoDB. */
public final class Stores implements ExperimentPart {

    @Override
    public List<String> titles(String words) {
        return scenes(words).map(StoresScene::title).toList();
    }

    private static Stream<StoresScene> scenes(String words) {
        return StoresScene.all().stream().filter(scene -> scene.title().contains(words));
    }

    @Override
    public List<Figure> play(String words) {
        List<Figure> figures = new ArrayList<>();
        System.out.printf(
                "%nStores: %d callers, one window. Round trips and news are per instance and second, "
                        + "documents per second for all instances; waits are calls that took over half a millisecond.%n",
                StoresScene.CALLERS);
        System.out.printf(
                "%-10s %12s %8s %14s %16s %9s %12s %10s %7s %6s%n",
                "",
                "round trips",
                "news",
                "docs/interval",
                "conflicts/push",
                "waits, %",
                "waits p99 ms",
                "p99, ms",
                "early",
                "over");
        try (Crowd crowd = new Crowd()) {
            scenes(words).forEach(scene -> {
                System.out.println(scene.title());
                for (StoresOutcome outcome : List.of(
                        play(scene, FleetOnStore.redis(scene.rule(), scene.instances()), crowd),
                        play(scene, FleetOnStore.mongo(scene.rule(), scene.instances()), crowd))) {
                    System.out.println(outcome);
                    figures.addAll(figures(outcome));
                }
            });
        }
        return figures;
    }

    private static StoresOutcome play(StoresScene scene, FleetOnStore fleet, Crowd crowd) {
        try (fleet) {
            long start = scene.start();
            Crowd.Play play = crowd.start(scene.plan(), Crowd.callers(StoresScene.CALLERS), fleet.instances(), start);
            Pause.untilNanos(start);
            StoreUse before = fleet.use().get();
            List<MeasuredCall> calls = play.await();
            return StoresOutcome.of(
                    fleet.store(), scene, calls, fleet.use().get().since(before));
        }
    }

    private static List<Figure> figures(StoresOutcome outcome) {
        String title = outcome.scene().title() + ", " + outcome.store() + ": ";
        return List.of(
                new Figure(title + "calls refused early", outcome.early(), 0),
                new Figure(title + "calls over the limit", Math.max(0, outcome.over()), outcome.slack()));
    }
}
