package dev.sluice.benchmarks.fleet.steady;

import dev.sluice.benchmarks.fleet.rig.Contestant;
import dev.sluice.benchmarks.fleet.steady.Scenario.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The scenarios to play, in order, with their contestants. */
record Programme(List<Item> items) {

    private static final int FULL_ROUNDS = 2;
    private static final int ROUNDS_BESIDE_PEERS = 3;
    /**
     * The number of windows if each contestant plays on its own. Each contestant begins with new counters, and the
     * later windows show its behaviour with existing ones.
     */
    private static final int WINDOWS_APART = 3;

    private static final int WINDOWS_TOGETHER = 2;
    private static final int WINDOWS_QUICK = 2;
    private static final List<String> MAIN = List.of(Contestant.ARTICLE, Contestant.SLUICE, Contestant.SLUICE_EXACT);

    /**
     * One scenario, played for a number of windows.
     *
     * @param sharing whether all contestants play at the same time. If they do, call times are meaningless and are not
     *     shown
     */
    record Item(Scenario scenario, int windows, List<String> contestants, boolean sharing) {}

    static Programme full() {
        List<String> everybody = Contestant.all().stream().map(Contestant::name).toList();
        List<String> others = everybody.stream()
                .filter(name -> !MAIN.contains(name) && !name.equals(Contestant.NOTHING))
                .filter(name -> Contestant.named(name).keeps(Article.RULE))
                .toList();
        Programme full = new Programme(new ArrayList<>());
        for (int round = 0; round < FULL_ROUNDS; round++) {
            full.apart(Scenario.ARTICLE, everybody);
        }
        full.sharing(Scenario.times(0.9, 3, Shape.EVEN), MAIN);
        full.sharing(Scenario.times(0.9, 3, Shape.RESHUFFLED), MAIN);
        for (int times : new int[] {2, 10}) {
            for (Shape shape : Shape.values()) {
                full.sharing(Scenario.times(times, 3, shape), MAIN);
            }
            full.apart(Scenario.times(times, 3, Shape.EVEN), others);
        }
        full.sharing(Scenario.times(2, 8, Shape.EVEN), MAIN);
        full.sharing(Scenario.times(2, 8, Shape.RESHUFFLED), MAIN);
        for (Shape shape : Shape.values()) {
            full.sharing(Scenario.times(10, 8, shape), MAIN);
        }
        full.apart(Scenario.times(10, 8, Shape.EVEN), others);
        full.largeFleets();
        return full;
    }

    static Programme quick() {
        Programme quick = new Programme(new ArrayList<>());
        quick.items.add(new Item(Scenario.ARTICLE, WINDOWS_QUICK, MAIN, false));
        quick.apart(Scenario.times(2, 3, Shape.EVEN), MAIN);
        quick.apart(Scenario.times(2, 8, Shape.EVEN), MAIN);
        quick.apart(Scenario.times(10, 3, Shape.EVEN), MAIN);
        quick.sharing(Scenario.times(10, 3, Shape.RESHUFFLED), MAIN);
        return quick;
    }

    /**
     * Creates the programme for the comparison with other limiters. Well below the limit, it measures the times and
     * costs of all contestants. At twice the limit, it shows which contestants exceed the limit.
     */
    static Programme besidePeers(boolean quick) {
        List<String> all = Contestant.all().stream()
                .map(Contestant::name)
                .filter(name -> !name.equals(Contestant.SLUICE_EXACT))
                .toList();
        List<String> keeping = all.stream()
                .filter(name -> !name.equals(Contestant.NOTHING))
                .filter(name -> Contestant.named(name).keeps(Article.RULE))
                .toList();
        Programme peers = new Programme(new ArrayList<>());
        for (int round = 0; round < (quick ? 1 : ROUNDS_BESIDE_PEERS); round++) {
            List<String> inTurn = new ArrayList<>(all);
            Collections.rotate(inTurn, round); // so that no contestant always plays last, with all code compiled
            peers.items.add(new Item(Scenario.ARTICLE, quick ? 1 : WINDOWS_TOGETHER, inTurn, false));
        }
        for (Shape shape : List.of(Shape.EVEN, Shape.RESHUFFLED)) {
            peers.items.add(new Item(Scenario.times(2, 3, shape), quick ? 1 : WINDOWS_TOGETHER, keeping, quick));
        }
        return peers;
    }

    /** Adds scenarios with more instances than most services have, in order to measure the total cost. */
    private void largeFleets() {
        for (int instances : new int[] {20, 100, 500}) {
            apart(Scenario.times(0.4, instances, Shape.EVEN), List.of(Contestant.SLUICE));
            apart(Scenario.times(2, instances, Shape.EVEN), List.of(Contestant.SLUICE));
        }
    }

    /** Returns the scenarios whose titles contain the given words. */
    Programme only(String words) {
        return new Programme(items.stream()
                .filter(item -> item.scenario().title().contains(words))
                .toList());
    }

    private void apart(Scenario scenario, List<String> contestants) {
        items.add(new Item(scenario, WINDOWS_APART, contestants, false));
    }

    private void sharing(Scenario scenario, List<String> contestants) {
        items.add(new Item(scenario, WINDOWS_TOGETHER, contestants, true));
    }
}
