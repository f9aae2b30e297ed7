package dev.sluice.benchmarks.fleet;

import dev.sluice.benchmarks.fleet.Outcome.Round;
import dev.sluice.benchmarks.fleet.Programme.Item;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Counting together, measured: several limiters, each with a Redis of its own and several instances, are played the same calls.
 * Prints what each added to a call's time, what it asked of Redis and how well it kept the limit; then whether Sluice reaches its
 * figures. Exits with 1 if it does not.
 *
 * <p>{@code java -cp benchmarks/target/benchmarks.jar dev.sluice.benchmarks.fleet.Experiment [--quick] [--only WORDS] [--csv FILE]}, where WORDS are part of a
 * scenario's title, such as {@code "8 instances, 5,000 calls/s, reshuffled"}.
 */
public final class Experiment {

    private static final Path CSV = Path.of("target", "counting-together.csv");
    private static final long SEED = 42;
    private static final int WARM_UP_CALLS_PER_SECOND = 4_000;
    /** Long enough that the compiler has done its work for every contestant before anything is timed. */
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    /** Each play begins in the middle of a window, which is not counted. */
    private static final Duration LEAD = Rule.PERIOD.dividedBy(2);

    /** What was played to one contestant, of one scenario. */
    private record Part(String contestant, Item item) {}

    private final Programme programme;
    private final Map<Part, List<Round>> rounds = new LinkedHashMap<>();

    private Experiment(Programme programme) {
        this.programme = programme;
    }

    public static void main(String[] arguments) {
        boolean quick = false;
        String only = "";
        Path csv = CSV;
        Iterator<String> words = List.of(arguments).iterator();
        while (words.hasNext()) {
            String word = words.next();
            if (word.equals("--quick")) {
                quick = true;
            } else if (word.equals("--only") && words.hasNext()) {
                only = words.next();
            } else if (word.equals("--csv") && words.hasNext()) {
                csv = Path.of(words.next());
            } else {
                giveUp("\"" + word + "\" is not understood here; write [--quick] [--only WORDS] [--csv FILE]");
            }
        }
        Programme programme = (quick ? Programme.quick() : Programme.full()).only(only);
        if (programme.items().isEmpty()) {
            giveUp("no scenario's title has \"" + only + "\" in it");
        }
        List<Outcome> outcomes = new Experiment(programme).run();
        Report.print(outcomes);
        Report.write(outcomes, csv);
        List<Figure> figures = Figures.of(outcomes);
        System.out.println();
        figures.forEach(System.out::println);
        System.exit(figures.stream().allMatch(Figure::isMet) ? 0 : 1);
    }

    private static void giveUp(String why) {
        System.err.println(why);
        System.exit(2);
    }

    private List<Outcome> run() {
        programme.items().stream()
                .map(item -> item.scenario().instances())
                .distinct()
                .forEach(this::playFleetsOf);
        List<Outcome> outcomes = new ArrayList<>();
        for (Contestant contestant : Contestant.all()) {
            rounds.forEach((part, played) -> {
                if (part.contestant.equals(contestant.name())) {
                    Item item = part.item;
                    outcomes.add(Outcome.of(contestant, item.scenario(), !item.together(), played));
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
            arrivals.add(Arrivals.of(item.scenario(), LEAD, item.windows(), SEED + arrivals.size()));
        }
        Map<String, Fleet> fleets = open(instances, items);
        try {
            Scenario warmUp = new Scenario(instances, WARM_UP_CALLS_PER_SECOND, Scenario.Shape.EVEN);
            for (Fleet fleet : fleets.values()) {
                long end = System.currentTimeMillis() + WARM_UP.toMillis();
                fleet.play(Arrivals.of(warmUp, WARM_UP, 0, SEED), end, 0);
            }
            for (int i = 0; i < items.size(); i++) {
                play(items.get(i), arrivals.get(i), fleets);
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

    private void play(Item item, Arrivals arrivals, Map<String, Fleet> fleets) {
        List<Fleet> playing = item.contestants().stream()
                .map(name -> Objects.requireNonNull(fleets.get(name)))
                .toList();
        if (item.together()) {
            long start = awaitLead();
            List<CompletableFuture<Round>> plays = playing.stream()
                    .map(fleet -> CompletableFuture.supplyAsync(
                            () -> fleet.play(arrivals, start, item.scenario().newEachWindow()),
                            task -> new Thread(task).start()))
                    .toList();
            for (int i = 0; i < plays.size(); i++) {
                note(item, playing.get(i), plays.get(i).join());
            }
        } else {
            for (Fleet fleet : playing) {
                note(
                        item,
                        fleet,
                        fleet.play(arrivals, awaitLead(), item.scenario().newEachWindow()));
            }
        }
    }

    private void note(Item item, Fleet fleet, Round round) {
        rounds.computeIfAbsent(new Part(fleet.contestant.name(), item), part -> new ArrayList<>())
                .add(round);
        System.out.printf("played: %s, %s%n", item.scenario().title(), fleet.contestant.name());
    }

    /** Waits for the middle of a window; when the next begins, in milliseconds since 1970. */
    private static long awaitLead() {
        long now = System.currentTimeMillis();
        long start = (Rule.windowOf(now + LEAD.toMillis()) + 1) * Rule.PERIOD_MILLIS;
        Pause.millis(start - LEAD.toMillis() - now);
        return start;
    }
}
