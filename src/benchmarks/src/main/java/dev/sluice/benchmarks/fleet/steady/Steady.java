package dev.sluice.benchmarks.fleet.steady;

import dev.sluice.benchmarks.fleet.rig.Contestant;
import dev.sluice.benchmarks.fleet.rig.Figure;
import dev.sluice.benchmarks.fleet.rig.ExperimentPart;
import dev.sluice.benchmarks.fleet.rig.Pause;
import dev.sluice.benchmarks.fleet.rig.Redis;
import dev.sluice.benchmarks.fleet.steady.SteadyOutcome.Round;
import dev.sluice.benchmarks.fleet.steady.Programme.Item;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Plays steady loads of the article's tenants, and prints the results. */
public final class Steady implements ExperimentPart {

    private static final long SEED = 42;
    private static final int WARM_UP_CALLS_PER_SECOND = 4_000;
    /**
     * The duration of the warm-up. It is long enough for the JVM to compile every contestant's code before calls are
     * timed.
     */
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    /**
     * The time before the first measured window. Each play begins in the middle of a window that precedes the measured
     * windows.
     */
    private static final Duration LEAD = Article.PERIOD.dividedBy(2);

    /** A scenario for one contestant to play. */
    private record Turn(String contestant, Item item) {}

    private final Programme programme;
    private final Path csv;
    private final Map<Turn, List<Round>> rounds = new LinkedHashMap<>();

    /**
     * Creates this part of the experiment. It plays either the quick or the full programme, and writes the figures to a
     * file.
     */
    public Steady(boolean quick, Path csv) {
        this(quick ? Programme.quick() : Programme.full(), csv);
    }

    private Steady(Programme programme, Path csv) {
        this.programme = programme;
        this.csv = csv;
    }

    /** Plays the given programme. Returns the outcomes of all rounds. */
    static List<SteadyOutcome> outcomesOfRounds(Programme programme) {
        Steady steady = new Steady(programme, Path.of(""));
        steady.playAll(programme);
        List<SteadyOutcome> outcomes = new ArrayList<>();
        steady.rounds.forEach((turn, played) -> {
            Contestant contestant = Contestant.named(turn.contestant);
            Item item = turn.item;
            played.forEach(
                    round -> outcomes.add(SteadyOutcome.of(contestant, item.scenario(), !item.sharing(), List.of(round))));
        });
        return outcomes;
    }

    @Override
    public List<String> titles(String words) {
        return programme.only(words).items().stream()
                .map(item -> item.scenario().title())
                .distinct()
                .toList();
    }

    @Override
    public List<Figure> play(String words) {
        Programme chosen = programme.only(words);
        playAll(chosen);
        List<SteadyOutcome> outcomes = outcomes(chosen);
        SteadyTable.print(outcomes);
        SteadyTable.write(outcomes, csv);
        return SteadyFigures.of(outcomes);
    }

    private void playAll(Programme chosen) {
        try (Redis idle = Redis.open()) {
            chosen.items().stream()
                    .map(item -> item.scenario().instances())
                    .distinct()
                    .forEach(instances -> playFleetsOf(instances, chosen, idle));
        }
    }

    private List<SteadyOutcome> outcomes(Programme chosen) {
        List<SteadyOutcome> outcomes = new ArrayList<>();
        for (Contestant contestant : Contestant.all()) {
            rounds.forEach((turn, played) -> {
                if (turn.contestant.equals(contestant.name())) {
                    Item item = turn.item;
                    outcomes.add(SteadyOutcome.of(contestant, item.scenario(), !item.sharing(), played));
                }
            });
        }
        List<Scenario> order =
                chosen.items().stream().map(Item::scenario).distinct().toList();
        outcomes.sort(Comparator.comparingInt(outcome -> order.indexOf(outcome.scenario())));
        return outcomes;
    }

    private void playFleetsOf(int instances, Programme chosen, Redis idle) {
        List<Item> items = chosen.items().stream()
                .filter(item -> item.scenario().instances() == instances)
                .toList();
        List<Arrivals> arrivals = new ArrayList<>();
        for (Item item : items) {
            arrivals.add(Arrivals.of(item.scenario(), LEAD, item.windows(), SEED + arrivals.size()));
        }
        Map<String, CalledFleet> fleets = open(instances, items, idle);
        try {
            Scenario warmUp = new Scenario(instances, WARM_UP_CALLS_PER_SECOND, Scenario.Shape.EVEN);
            for (CalledFleet fleet : fleets.values()) {
                long end = System.currentTimeMillis() + WARM_UP.toMillis();
                fleet.play(Arrivals.of(warmUp, WARM_UP, 0, SEED), end, 0);
            }
            for (int i = 0; i < items.size(); i++) {
                play(items.get(i), arrivals.get(i), fleets);
            }
        } finally {
            fleets.values().forEach(CalledFleet::close);
        }
    }

    private static Map<String, CalledFleet> open(int instances, List<Item> items, Redis idle) {
        Map<String, CalledFleet> fleets = new LinkedHashMap<>();
        for (Contestant contestant : Contestant.all()) {
            if (items.stream().anyMatch(item -> item.contestants().contains(contestant.name()))) {
                fleets.put(contestant.name(), new CalledFleet(contestant, instances, idle));
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

    private void play(Item item, Arrivals arrivals, Map<String, CalledFleet> fleets) {
        List<CalledFleet> playing = item.contestants().stream()
                .map(name -> Objects.requireNonNull(fleets.get(name)))
                .toList();
        if (item.sharing()) {
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
            for (CalledFleet fleet : playing) {
                note(
                        item,
                        fleet,
                        fleet.play(arrivals, awaitLead(), item.scenario().newEachWindow()));
            }
        }
    }

    private void note(Item item, CalledFleet fleet, Round round) {
        rounds.computeIfAbsent(new Turn(fleet.contestant(), item), turn -> new ArrayList<>())
                .add(round);
        System.out.printf("played: %s, %s%n", item.scenario().title(), fleet.contestant());
    }

    /** Waits until the middle of a window. Returns the start of the next window, in milliseconds since 1970. */
    private static long awaitLead() {
        long now = System.currentTimeMillis();
        long start = (Article.windowOf(now + LEAD.toMillis()) + 1) * Article.PERIOD_MILLIS;
        Pause.millis(start - LEAD.toMillis() - now);
        return start;
    }
}
