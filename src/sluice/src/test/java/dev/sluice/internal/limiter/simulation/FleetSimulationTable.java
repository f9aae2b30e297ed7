package dev.sluice.internal.limiter.simulation;

import dev.sluice.internal.limiter.simulation.CallPattern.Deal;
import dev.sluice.tier.Sync;
import java.util.List;
import java.util.stream.Stream;

/** Prints what {@link FleetSimulation} and {@link SteadyLoad} find. */
final class FleetSimulationTable {

    static final Sync NO_SLACK = new Sync(Sync.DEFAULT.every(), 0, false);

    private static final int CALLERS = 20;

    private FleetSimulationTable() {}

    public static void main(String[] args) {
        List<String> what = args.length == 0
                ? List.of(
                        "patterns",
                        "no-slack",
                        "no-push",
                        "steady",
                        "growth",
                        "leisurely",
                        "seldom",
                        "stalls",
                        "large",
                        "outages",
                        "regions",
                        "rules")
                : List.of(args);
        if (what.contains("patterns")) {
            print("Patterns", patterns(Sync.DEFAULT, true));
        }
        if (what.contains("no-slack")) {
            print("Patterns without slack", patterns(NO_SLACK, true));
        }
        if (what.contains("no-push")) {
            print("Patterns on a store that cannot push", patterns(Sync.DEFAULT, false));
        }
        if (what.contains("stalls")) {
            print(
                    "Patterns while something stands still now and then",
                    CallPatterns.all().stream()
                            .filter(pattern -> !pattern.retries())
                            .map(pattern -> FleetSimulation.play(pattern, NO_SLACK, true, CALLERS, Mishap.STALLS)));
        }
        if (what.contains("steady")) {
            print("Steady loads", SteadyLoad.all().stream().map(SteadyLoad::play));
        }
        if (what.contains("growth")) {
            print("More and more callers", SteadyLoad.growing().stream().map(SteadyLoad::play));
        }
        if (what.contains("leisurely")) {
            print(
                    "Callers who take their time",
                    CallPatterns.leisurely().stream()
                            .map(pattern -> FleetSimulation.play(pattern, Sync.DEFAULT, true, CALLERS)));
        }
        if (what.contains("large")) {
            print("Large fleets", SteadyLoad.large().map(SteadyLoad::play));
        }
        if (what.contains("seldom")) {
            print("Callers who call seldom", SteadyLoad.calledSeldom().stream().map(SteadyLoad::play));
        }
        if (what.contains("outages")) {
            System.out.println("The store becomes unavailable: median and most of 20 plays");
            OutageScene.all().map(scene -> scene.row(20)).forEach(System.out::println);
        }
        if (what.contains("regions")) {
            System.out.println("Two regions: the rows of docs/regions.md");
            new RegionTables().all().forEach(System.out::println);
        }
        if (what.contains("rules")) {
            print(
                    "Callers who take their time, on 100 instances",
                    Stream.of(5, 10, 60)
                            .flatMap(threshold -> Stream.of(400, 1_000)
                                    .map(gap -> CallPatterns.leisurely(threshold, gap, Deal.AT_RANDOM, 100)))
                            .map(pattern -> FleetSimulation.play(pattern, Sync.DEFAULT, true, CALLERS)));
            print(
                    "Many instances that wait",
                    CallPatterns.ofManyWaiting().stream()
                            .map(pattern -> FleetSimulation.play(pattern, Sync.DEFAULT, true, CALLERS)));
            print("New callers, and dear calls", RuleScene.all().map(RuleScene::play));
        }
    }

    private static Stream<SimulationResult> patterns(Sync sync, boolean pushes) {
        return CallPatterns.all().stream().map(pattern -> FleetSimulation.play(pattern, sync, pushes, CALLERS));
    }

    private static void print(String title, Stream<SimulationResult> results) {
        System.out.println(title);
        System.out.println(SimulationResult.header());
        results.forEach(result -> {
            System.out.println(result.line());
            result.complaints().forEach(complaint -> System.out.println("    " + complaint));
        });
        System.out.println(
                "waited ms: of all calls together, a call; trips/is: round trips an instance and second; /ad: per admitted call; commands: of Redis, a call, estimated; pushes: messages of the store to instances, a call");
    }
}
