package dev.sluice.internal.limiter.simulation;

import static dev.sluice.internal.limiter.simulation.CallPattern.window;

import dev.sluice.internal.limiter.simulation.RegionScene.Habit;
import dev.sluice.internal.limiter.simulation.RegionScene.Layout.OneStore;
import dev.sluice.tier.Limit.FixedWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
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

    static final List<FixedWindow> LIMITS = List.of(window(5, "PT1M"), window(60, "PT1M"), window(1_000, "PT10S"));

    private final Map<RegionScene, RegionResult> played = new HashMap<>();

    /** What comes of this scene. */
    RegionResult play(RegionScene scene) {
        return played.computeIfAbsent(scene, RegionScene::play);
    }

    /** All rows, in the order of the page. */
    List<String> all() {
        return Stream.of(farCallers(), cutOff()).flatMap(List::stream).toList();
    }

    /** How often and how long callers of the region without the store wait. */
    private List<String> farCallers() {
        List<String> rows = new ArrayList<>();
        for (FixedWindow limit : LIMITS) {
            List<String> cells = new ArrayList<>(List.of(name(limit)));
            for (int millis : new int[] {50, 150}) {
                RegionResult above = play(oneStore(millis, Habit.B, limit, ABOVE));
                cells.add(waited(play(oneStore(millis, Habit.B, limit, BELOW)), above));
                cells.add(waits(above));
            }
            rows.add(row(cells));
        }
        return rows;
    }

    /** The most that any caller has beyond the limit if the line between the regions breaks. */
    private List<String> cutOff() {
        List<String> rows = new ArrayList<>();
        for (FixedWindow limit : LIMITS) {
            long over = Stream.of(Habit.values())
                    .map(habit -> play(oneStore(150, habit, limit, ABOVE).cut()))
                    .mapToLong(RegionResult::over)
                    .max()
                    .orElseThrow();
            rows.add(row(List.of(name(limit), String.valueOf(over))));
        }
        return rows;
    }

    private static RegionScene oneStore(long millis, Habit habit, FixedWindow limit, double times) {
        return RegionScene.of(new OneStore(millis), habit, limit, times).waiting(LONG_TIMEOUT);
    }

    private static String row(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |";
    }

    private static String name(FixedWindow limit) {
        String threshold = limit.threshold() == 1_000 ? "1,000" : String.valueOf(limit.threshold());
        return threshold + " in " + (limit.period().toSeconds() == 60 ? "1m" : "10s");
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
