package dev.sluice.benchmarks.fleet.large;

import dev.sluice.benchmarks.fleet.rig.Contestant;
import dev.sluice.benchmarks.fleet.rig.Crowd;
import dev.sluice.benchmarks.fleet.rig.ExperimentPart;
import dev.sluice.benchmarks.fleet.rig.Figure;
import dev.sluice.benchmarks.fleet.rig.Fleet;
import dev.sluice.benchmarks.fleet.rig.Instance;
import dev.sluice.benchmarks.fleet.rig.MeasuredCall;
import dev.sluice.benchmarks.fleet.rig.Pause;
import dev.sluice.benchmarks.fleet.rig.Redis;
import dev.sluice.benchmarks.fleet.rig.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Plays calls below a limit to a large fleet within this process. Prints the cost for Redis and the percentage of calls
 * that waited. The first result covers the window in which each instance sees each caller for the first time, and the
 * second one covers the third and later windows.
 */
public final class LargeFleets implements ExperimentPart {

    private static final int WARM_UP_WINDOWS = 2;
    private static final int MEASURED_WINDOWS = 4;
    private static final int MEASURED_WINDOWS_QUICKLY = 1;
    /** The time allowed for instances to learn the size of the fleet. */
    private static final Duration START = Duration.ofSeconds(3);
    /** The number of commands that a limiter with INCR and EXPIRE would need. */
    private static final double MOST_COMMANDS = 2;

    private final boolean quick;

    /**
     * Creates this part of the experiment. If {@code quick}, it plays only the first scene, unless a different scene is
     * requested.
     */
    public LargeFleets(boolean quick) {
        this.quick = quick;
    }

    @Override
    public List<String> titles(String words) {
        return scenes(words).map(LargeScene::title).toList();
    }

    private Stream<LargeScene> scenes(String words) {
        return LargeScene.all().stream()
                .limit(quick && words.isEmpty() ? 1 : Long.MAX_VALUE)
                .filter(scene -> scene.title().contains(words));
    }

    @Override
    public List<Figure> play(String words) {
        List<Figure> figures = new ArrayList<>();
        System.out.printf("%nLarge fleets, at 0.4 times the limit. Round trips are per instance and second.%n");
        System.out.println(LargeOutcome.header());
        try (Crowd crowd = new Crowd();
                Redis idle = Redis.open()) {
            scenes(words).forEach(scene -> {
                System.out.println(scene.title());
                List<LargeOutcome> outcomes = play(scene, crowd, idle);
                outcomes.forEach(System.out::println);
                LargeOutcome steady = outcomes.get(outcomes.size() - 1);
                figures.add(new Figure(
                        scene.title() + ": calls refused early",
                        outcomes.stream().mapToLong(LargeOutcome::refused).sum(),
                        0));
                if (scene.isUsual()) {
                    figures.add(
                            new Figure(scene.title() + ": Redis commands per call", steady.commands(), MOST_COMMANDS));
                }
            });
        }
        return figures;
    }

    /** The totals at the end of a window. */
    private record Sums(Usage usage, Usage idle, long waits) {

        static Sums now(Fleet fleet, Redis idle) {
            long waits = fleet.instances().stream().mapToLong(Instance::waits).sum();
            return new Sums(fleet.usage(), idle.usage(), waits);
        }

        Usage usedSince(Sums before) {
            return usage.since(before.usage).lessIdle(idle.since(before.idle));
        }
    }

    private List<LargeOutcome> play(LargeScene scene, Crowd crowd, Redis idle) {
        int windows = WARM_UP_WINDOWS + (quick ? MEASURED_WINDOWS_QUICKLY : MEASURED_WINDOWS);
        try (Fleet fleet = new Fleet(Contestant.named(Contestant.SLUICE), scene.rule(), scene.instances())) {
            Pause.millis(START.toMillis());
            scene.rule().awaitTimeInWindows(LargeScene.PERIOD);
            long start = System.nanoTime();
            Crowd.Play play =
                    crowd.start(scene.plan(windows), Crowd.callers(scene.callers()), fleet.instances(), start);
            List<Sums> sums = new ArrayList<>(List.of(Sums.now(fleet, idle)));
            for (int window = 1; window <= windows; window++) {
                Pause.untilNanos(start + window * LargeScene.PERIOD.toNanos());
                sums.add(Sums.now(fleet, idle));
            }
            List<MeasuredCall> calls = play.await();
            return List.of(
                    outcome("first window", scene, 0, 1, sums, calls),
                    outcome("later windows", scene, WARM_UP_WINDOWS, windows, sums, calls));
        }
    }

    /** Evaluates the windows from {@code from} (inclusive) to {@code to} (exclusive). */
    private static LargeOutcome outcome(
            String name, LargeScene scene, int from, int to, List<Sums> sums, List<MeasuredCall> all) {
        long fromNanos = from * LargeScene.PERIOD.toNanos();
        long toNanos = to * LargeScene.PERIOD.toNanos();
        List<MeasuredCall> calls = all.stream()
                .filter(call -> call.planned().dueNanos() >= fromNanos && call.planned().dueNanos() < toNanos)
                .toList();
        return LargeOutcome.of(
                name,
                scene,
                to - from,
                calls.size(),
                sums.get(to).usedSince(sums.get(from)),
                sums.get(to).waits() - sums.get(from).waits(),
                calls.stream().filter(call -> !call.admitted()).count());
    }
}
