package dev.sluice.limiter.simulation;

import static dev.sluice.limiter.simulation.CallPattern.window;

import dev.sluice.limiter.simulation.RegionScene.Habit;
import dev.sluice.limiter.simulation.RegionScene.Layout;
import dev.sluice.limiter.simulation.RegionScene.Layout.OneStore;
import dev.sluice.limiter.simulation.RegionScene.Layout.StoreEach;
import dev.sluice.tier.Limit.FixedWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The tables of {@code docs/regions.md}: for each {@link RegionScene} a row of Markdown. A scene that is in several is
 * played once. Not thread-safe.
 */
final class RegionTables {

    private static final double BELOW = 0.8;
    private static final double ABOVE = 2;
    private static final Duration LONG_TIMEOUT = Duration.ofSeconds(1);

    private static final List<FixedWindow> LIMITS =
            List.of(window(5, "PT1M"), window(60, "PT1M"), window(1_000, "PT10S"));

    private final Map<RegionScene, RegionResult> played = new HashMap<>();

    /** What comes of this scene. */
    RegionResult play(RegionScene scene) {
        return played.computeIfAbsent(scene, RegionScene::play);
    }

    /** All rows, in the order of the page. */
    List<String> all() {
        return Stream.of(oneStore(), timeouts(), cutOff(), storeEach(), homeStore())
                .flatMap(List::stream)
                .toList();
    }

    private List<String> oneStore() {
        List<String> rows = new ArrayList<>();
        for (FixedWindow limit : LIMITS) {
            for (Habit habit : Habit.values()) {
                List<RegionResult> results = Stream.of(50, 150)
                        .flatMap(millis -> Stream.of(BELOW, ABOVE)
                                .map(times -> RegionScene.of(new OneStore(millis), habit, limit, times)
                                        .waiting(LONG_TIMEOUT)))
                        .map(this::play)
                        .toList();
                long over = results.stream().mapToLong(RegionResult::over).max().orElse(0);
                double early = results.stream()
                        .mapToDouble(RegionResult::earlyPercent)
                        .max()
                        .orElse(0);
                rows.add(row(
                        name(limit),
                        name(habit),
                        String.valueOf(over),
                        percent(early),
                        waited(results.get(0), results.get(1)),
                        waits(results.get(1)),
                        waited(results.get(2), results.get(3)),
                        waits(results.get(3)),
                        "%.1f".formatted(results.get(3).exchangesAnInstanceAndSecond())));
            }
        }
        return rows;
    }

    private List<String> storeEach() {
        List<String> rows = new ArrayList<>();
        for (FixedWindow limit : LIMITS) {
            for (Habit habit : List.of(Habit.A, Habit.BOTH, Habit.MOVES)) {
                RegionResult below = play(RegionScene.of(new StoreEach("0.5"), habit, limit, BELOW));
                RegionResult above = play(RegionScene.of(new StoreEach("0.5"), habit, limit, ABOVE));
                RegionResult whole = play(RegionScene.of(new StoreEach("1"), habit, limit, ABOVE));
                rows.add(row(
                        name(limit),
                        habit == Habit.A ? "one region" : name(habit),
                        percent(below.hadPercent()),
                        percent(above.hadPercent()),
                        String.valueOf(above.over()),
                        percent(whole.hadPercent()),
                        String.valueOf(whole.over())));
            }
        }
        return rows;
    }

    private List<String> cutOff() {
        List<String> rows = new ArrayList<>();
        for (FixedWindow limit : LIMITS) {
            for (Habit habit : Habit.values()) {
                RegionResult cut = play(RegionScene.of(new OneStore(150), habit, limit, ABOVE)
                        .waiting(LONG_TIMEOUT)
                        .cut());
                rows.add(row(
                        name(limit),
                        name(habit),
                        percent(cut.hadInTheCutPercent()),
                        String.valueOf(cut.over()),
                        millis(cut.waitMillis(1))));
            }
        }
        return rows;
    }

    /** Of callers who use both regions, with different {@code sync.timeout}. */
    private List<String> timeouts() {
        List<String> rows = new ArrayList<>();
        for (int timeout : new int[] {100, 250, 500, 1_000}) {
            List<RegionResult> results = Stream.of(Habit.BOTH, Habit.MOVES)
                    .flatMap(habit -> LIMITS.stream()
                            .map(limit -> RegionScene.of(new OneStore(150), habit, limit, ABOVE)
                                    .waiting(Duration.ofMillis(timeout))))
                    .map(this::play)
                    .toList();
            rows.add(row(
                    millis(timeout),
                    "%.2f %%"
                            .formatted(results.stream()
                                    .mapToDouble(RegionResult::earlyPercent)
                                    .max()
                                    .orElse(0)),
                    String.valueOf(
                            results.stream().mapToLong(RegionResult::over).max().orElse(0)),
                    millis(results.stream()
                            .mapToDouble(result -> result.waitMillis(1))
                            .max()
                            .orElse(0))));
        }
        return rows;
    }

    /** As if a store of region B took permits from the one in region A: there are no three instances any more, but one. */
    private List<String> homeStore() {
        List<String> rows = new ArrayList<>();
        for (FixedWindow limit : LIMITS) {
            Layout layout = new OneStore(150);
            List<RegionResult> results = Stream.of(BELOW, ABOVE)
                    .map(times -> RegionScene.of(layout, Habit.B, limit, times).waiting(LONG_TIMEOUT))
                    .flatMap(scene -> Stream.of(scene, scene.withOneFarInstance()))
                    .map(this::play)
                    .toList();
            rows.add(row(
                    name(limit),
                    waited(results.get(0), results.get(2)),
                    waits(results.get(2)),
                    waited(results.get(1), results.get(3)),
                    waits(results.get(3))));
        }
        return rows;
    }

    private static String row(String... cells) {
        return "| " + String.join(" | ", cells) + " |";
    }

    private static String name(FixedWindow limit) {
        String threshold = limit.threshold() == 1_000 ? "1,000" : String.valueOf(limit.threshold());
        return threshold + " in " + (limit.period().toSeconds() == 60 ? "1m" : "10s");
    }

    private static String name(Habit habit) {
        return habit.name().length() == 1 ? habit.name() : habit.name().toLowerCase(Locale.ROOT);
    }

    private static String waited(RegionResult below, RegionResult above) {
        return percent(below.waitedPercent()) + ", " + percent(above.waitedPercent());
    }

    private static String waits(RegionResult result) {
        return "%.0f, %s".formatted(result.waitMillis(0.5), millis(result.waitMillis(0.99)));
    }

    private static String millis(double millis) {
        return "%.0f ms".formatted(millis);
    }

    private static String percent(double percent) {
        return (percent > 0 && percent < 10 ? "%.1f %%" : "%.0f %%").formatted(percent);
    }
}
