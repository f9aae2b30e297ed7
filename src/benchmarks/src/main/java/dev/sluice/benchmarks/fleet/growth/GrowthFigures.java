package dev.sluice.benchmarks.fleet.growth;

import dev.sluice.benchmarks.fleet.rig.Contestant;
import dev.sluice.benchmarks.fleet.rig.Figure;
import java.util.List;

/** The targets that Sluice must meet for any number of callers. */
final class GrowthFigures {

    /** The number of commands that a limiter with INCR and EXPIRE would need. */
    private static final double MOST_COMMANDS = 2;

    private static final double MOST_ROUND_TRIPS = 20;

    private GrowthFigures() {}

    static List<Figure> of(GrowthOutcome outcome) {
        if (!outcome.contestant().equals(Contestant.SLUICE)) {
            return List.of();
        }
        GrowthScene scene = outcome.scene();
        String title = scene.title() + ": ";
        return List.of(
                new Figure(title + "calls refused early", outcome.refused(), 0),
                new Figure(title + "Redis commands per call", outcome.commands(), mostCommands(scene)),
                new Figure(title + "round trips per instance and second", outcome.roundTrips(), MOST_ROUND_TRIPS));
    }

    /**
     * The maximum number of commands per call. With few instances, most callers soon return to the same instance and
     * therefore cost less.
     */
    private static double mostCommands(GrowthScene scene) {
        if (scene.instances() > 3 || scene.callers() > 10_000) {
            return MOST_COMMANDS;
        }
        return scene.callers() > 1_000 ? 1.5 : 0.6;
    }
}
