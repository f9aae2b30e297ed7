package dev.sluice.internal.limiter.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.simulation.RegionScene.Habit;
import dev.sluice.internal.limiter.simulation.RegionScene.Layout;
import dev.sluice.internal.limiter.simulation.RegionScene.Layout.OneStore;
import dev.sluice.internal.limiter.simulation.RegionScene.Layout.StoreEach;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.tier.Limit.FixedWindow;
import dev.sluice.tier.Limit.TokenBucket;
import dev.sluice.tier.Sync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code docs/regions.md} tells of two regions is what the simulation plays. */
@Tag("thorough")
@Tag("docs")
class RegionsPageTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final RegionTables TABLES = new RegionTables();

    private static final Pattern NUMBER = Pattern.compile("\\d+(?:,\\d{3})*(?:\\.\\d+)?");

    /**
     * How far a figure of the page may be from what is played: figures move a little with each change of the limiter.
     */
    private static final double MOST_DRIFT = 2.5;

    private static final double MOST_DRIFT_IN_PARTS = 0.3;

    @Test
    void describesTheSimulation() throws IOException {
        List<String> told = Files.readAllLines(Path.of("docs", "regions.md")).stream()
                .filter(line -> line.matches("\\| \\d.*"))
                .toList();
        List<String> played = TABLES.all();
        assertThat(told).hasSameSizeAs(played);
        assertThat(IntStream.range(0, told.size())
                        .filter(row -> !isNear(told.get(row), played.get(row)))
                        .mapToObj(row -> told.get(row) + " is now " + played.get(row)))
                .as("FleetSimulationTable regions prints all rows")
                .isEmpty();
    }

    /** Whether two rows differ only in figures, and in these not much. Nothing stays nothing. */
    private static boolean isNear(String told, String played) {
        List<Double> before = figures(told);
        List<Double> now = figures(played);
        return NUMBER.matcher(told)
                        .replaceAll("0")
                        .equals(NUMBER.matcher(played).replaceAll("0"))
                && IntStream.range(0, before.size()).allMatch(i -> isNear(before.get(i), now.get(i)));
    }

    private static boolean isNear(double told, double played) {
        double most = told == 0 ? 0 : Math.max(MOST_DRIFT, MOST_DRIFT_IN_PARTS * told);
        return Math.abs(told - played) <= most;
    }

    private static List<Double> figures(String row) {
        List<Double> figures = new ArrayList<>();
        NUMBER.matcher(row)
                .results()
                .forEach(found -> figures.add(Double.valueOf(found.group().replace(",", ""))));
        return figures;
    }

    /** A timeout of some round trips is all that a far store needs. */
    @ParameterizedTest
    @CsvSource({"50, B", "50, BOTH", "50, MOVES", "150, A", "150, B", "150, BOTH", "150, MOVES"})
    void keepsThePromisesWithAFarStore(int millis, Habit habit) {
        for (int threshold : new int[] {1, 5, 60}) {
            RegionScene scene = RegionScene.of(new OneStore(millis), habit, CallPattern.window(threshold, "PT1M"), 2);
            RegionResult result = TABLES.play(scene.waiting(SECOND));
            assertThat(result.over()).as("over %s", threshold).isZero();
            assertThat(result.earlyPercent()).as("early %s", threshold).isZero();
            assertThat(result.hadPercent()).as("had %s", threshold).isEqualTo(100);
        }
    }

    @Test
    void aCallerOfTheRegionWithTheStoreWaitsAFewMilliseconds() {
        assertThat(RegionTables.LIMITS)
                .allSatisfy(limit -> assertThat(
                                play(new OneStore(150), Habit.A, limit, SECOND).waitMillis(0.99))
                        .isLessThan(6));
    }

    /** Limits of both regions together: callers have twice as much, or half if they call one region only. */
    @Test
    void withAStoreInEachRegionHalvesAreNeverPassedAndWholesAreHadTwice() {
        FixedWindow limit = CallPattern.window(60, "PT1M");
        RegionResult whole = play(new StoreEach("1"), Habit.BOTH, limit, SECOND);
        RegionResult half = play(new StoreEach("0.5"), Habit.BOTH, limit, SECOND);
        RegionResult halfOfOneRegion = play(new StoreEach("0.5"), Habit.A, limit, SECOND);
        assertThat(List.of(whole.over(), half.over(), halfOfOneRegion.over())).containsExactly(60L, 0L, 0L);
        assertThat(halfOfOneRegion.hadPercent()).isEqualTo(50);
    }

    @Test
    void theDefaultTimeoutRefusesAFewCallsEarly() {
        Duration byDefault = SharingOptions.DEFAULT.timeout();
        double early = Stream.of(Habit.BOTH, Habit.MOVES)
                .flatMap(habit ->
                        RegionTables.LIMITS.stream().map(limit -> play(new OneStore(150), habit, limit, byDefault)))
                .mapToDouble(RegionResult::earlyPercent)
                .max()
                .orElseThrow();
        assertThat(early).isBetween(0.1, 0.2);
    }

    /** Two instances, each of which gets five times as many calls as both may have together. */
    @Test
    void farAboveABucketsLimitTheFarInstanceGetsLittle() throws IOException {
        TokenBucket bucket = new TokenBucket(10, SECOND, 20);
        Limits limits = TestLimits.sharing(
                new SharingOptions(SharingOptions.OnFailure.SHARE, SECOND),
                FleetSimulation.limits(List.of(List.of(bucket)), Sync.DEFAULT));
        SimulatedFleet fleet = new SimulatedFleet(2, limits, true);
        try {
            fleet.instances.get(1).link.roundTripNanos = () -> 40 * SimulatedFleet.MILLI;
            int[] passed = new int[2];
            for (int call = 0; call < 1_000; call++) {
                for (int i = 0; i < 2; i++) {
                    int one = i;
                    fleet.loop.in(
                            (1_000 + 20L * call + 7L * i) * SimulatedFleet.MILLI,
                            () -> passed[one] += fleet.instances
                                            .get(one)
                                            .decide(FleetSimulation.call("acme", 1))
                                            .admitted()
                                    ? 1
                                    : 0);
                }
            }
            fleet.pass(30_000);
            Matcher told = Pattern.compile("only\\s+(\\d+)\\s+of\\s+the\\s+(\\d+)\\s+admitted\\s+calls")
                    .matcher(Files.readString(Path.of("docs", "regions.md")));
            assertThat(told.find()).isTrue();
            assertThat(isNear(Double.parseDouble(told.group(1)), passed[1]))
                    .as("the far one got %s", passed[1])
                    .isTrue();
            assertThat(isNear(Double.parseDouble(told.group(2)), passed[0] + passed[1]))
                    .as("both got %s", passed[0] + passed[1])
                    .isTrue();
        } finally {
            fleet.close();
        }
    }

    private static RegionResult play(Layout layout, Habit habit, FixedWindow limit, Duration timeout) {
        return TABLES.play(RegionScene.of(layout, habit, limit, 2).waiting(timeout));
    }
}
