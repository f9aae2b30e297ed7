package dev.sluice.benchmarks.fleet;

import dev.sluice.benchmarks.fleet.Scenario.Shape;
import java.util.ArrayList;
import java.util.List;

/** What is played to whom, in which order. */
record Programme(List<Item> items) {

    private static final int FULL_ROUNDS = 3;

    /** One scenario, so many windows of it, played to these contestants one after the other. */
    record Item(Scenario scenario, int windows, List<String> contestants) {}

    static Programme full() {
        List<String> everybody = Contestant.all().stream().map(Contestant::name).toList();
        List<String> main = List.of(Contestant.ARTICLE, Contestant.SLUICE, Contestant.SLUICE_EXACT);
        List<String> ours = List.of(Contestant.SLUICE, Contestant.SLUICE_EXACT);
        List<Item> items = new ArrayList<>();
        for (int round = 0; round < FULL_ROUNDS; round++) {
            items.add(new Item(Scenario.ARTICLE, 1, everybody));
        }
        items.add(new Item(Scenario.times(0.9, 3, Shape.EVEN), 1, ours));
        items.add(new Item(Scenario.times(0.9, 3, Shape.RESHUFFLED), 2, ours));
        for (int times : new int[] {2, 10}) {
            for (Shape shape : Shape.values()) {
                Scenario scenario = Scenario.times(times, 3, shape);
                items.add(new Item(scenario, 1, shape == Shape.EVEN ? everybody : main));
                items.add(new Item(scenario, 1, List.of(Contestant.SLUICE)));
            }
        }
        for (Shape shape : List.of(Shape.EVEN, Shape.SKEWED, Shape.RESHUFFLED)) {
            items.add(new Item(Scenario.times(10, 8, shape), 2, main));
        }
        items.add(new Item(Scenario.times(2, 8, Shape.EVEN), 1, main));
        items.add(new Item(Scenario.times(2, 8, Shape.RESHUFFLED), 2, main));
        return new Programme(items);
    }

    static Programme quick() {
        List<String> main = List.of(Contestant.ARTICLE, Contestant.SLUICE, Contestant.SLUICE_EXACT);
        return new Programme(List.of(
                new Item(
                        Scenario.ARTICLE,
                        1,
                        List.of(Contestant.NOTHING, Contestant.ARTICLE, Contestant.SLUICE, Contestant.SLUICE_EXACT)),
                new Item(Scenario.times(2, 3, Shape.EVEN), 1, main),
                new Item(Scenario.times(10, 3, Shape.RESHUFFLED), 1, main)));
    }
}
