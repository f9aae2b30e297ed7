package dev.sluice.benchmarks.fleet;

import dev.sluice.benchmarks.fleet.Outcome.Round;
import dev.sluice.benchmarks.fleet.Programme.Item;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Counting together, measured: several limiters, each with a Redis of its own and several instances, are played the same calls, one
 * limiter after the other, window by window. Prints what each added to a call's time, what it asked of Redis and how well it kept
 * the limit; then whether Sluice reaches its figures. Exits with 1 if it does not.
 *
 * <p>{@code java -cp benchmarks/target/benchmarks.jar dev.sluice.benchmarks.fleet.Experiment [--quick] [--csv FILE]}
 */
public final class Experiment {

    private static final Path CSV = Path.of("target", "counting-together.csv");
    private static final Scenario WARM_UP = new Scenario(3, 4_000, Scenario.Shape.EVEN);
    private static final double WARM_UP_SECONDS = 4;
    private static final long SEED = 42;

    /** What was played to one contestant, of one scenario. */
    private record Part(String contestant, Scenario scenario) {}

    private final Programme programme;
    private final Load load = new Load();
    private final Map<Part, List<Round>> rounds = new LinkedHashMap<>();

    private Experiment(Programme programme) {
        this.programme = programme;
    }

    public static void main(String[] arguments) {
        List<String> words = List.of(arguments);
        int csv = words.indexOf("--csv");
        boolean quick = words.contains("--quick");
        List<Outcome> outcomes = new Experiment(quick ? Programme.quick() : Programme.full()).run();
        Report.print(outcomes);
        Report.write(outcomes, csv < 0 ? CSV : Path.of(words.get(csv + 1)));
        List<Figure> figures = Figures.of(outcomes);
        System.out.println();
        figures.forEach(System.out::println);
        System.exit(figures.stream().allMatch(Figure::isMet) ? 0 : 1);
    }

    private List<Outcome> run() {
        programme.items().stream()
                .map(item -> item.scenario().instances())
                .distinct()
                .forEach(this::playFleetsOf);
        load.close();
        List<Outcome> outcomes = new ArrayList<>();
        for (Contestant contestant : Contestant.all()) {
            rounds.forEach((part, played) -> {
                if (part.contestant.equals(contestant.name())) {
                    outcomes.add(Outcome.of(contestant, part.scenario, played));
                }
            });
        }
        List<Scenario> order =
                programme.items().stream().map(Item::scenario).distinct().toList();
        outcomes.sort(Comparator.comparingInt(outcome -> order.indexOf(outcome.scenario())));
        return outcomes;
    }

    private void playFleetsOf(int instances) {
        List<Item> items = programme.items().stream()
                .filter(item -> item.scenario().instances() == instances)
                .toList();
        List<Arrivals> arrivals = new ArrayList<>();
        for (Item item : items) {
            double seconds = (double) item.windows() * Rule.PERIOD.toSeconds();
            arrivals.add(Arrivals.of(item.scenario(), seconds, SEED + arrivals.size()));
        }
        Map<String, Fleet> fleets = open(instances, items);
        try {
            fleets.values().forEach(this::warmUp);
            for (int i = 0; i < items.size(); i++) {
                for (String name : items.get(i).contestants()) {
                    play(items.get(i), Objects.requireNonNull(fleets.get(name)), arrivals.get(i));
                }
            }
        } finally {
            fleets.values().forEach(Fleet::close);
        }
    }

    private static Map<String, Fleet> open(int instances, List<Item> items) {
        Map<String, Fleet> fleets = new LinkedHashMap<>();
        for (Contestant contestant : Contestant.all()) {
            if (items.stream().anyMatch(item -> item.contestants().contains(contestant.name()))) {
                fleets.put(contestant.name(), new Fleet(contestant, instances));
            }
        }
        System.out.printf(
                "%d instances each; Java %s, %d processors, Redis %s%n",
                instances,
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                fleets.values().iterator().next().redisVersion());
        return fleets;
    }

    private void warmUp(Fleet fleet) {
        fleet.play(load, Arrivals.of(WARM_UP, WARM_UP_SECONDS, SEED), System.currentTimeMillis(), false);
    }

    private void play(Item item, Fleet fleet, Arrivals arrivals) {
        boolean cold = item.scenario().shape() == Scenario.Shape.COLD;
        Round round = fleet.play(load, arrivals, Load.awaitWindow(), cold);
        rounds.computeIfAbsent(new Part(fleet.contestant.name(), item.scenario()), part -> new ArrayList<>())
                .add(round);
        System.out.printf("played: %s, %s%n", fleet.contestant.name(), item.scenario().title());
    }
}
