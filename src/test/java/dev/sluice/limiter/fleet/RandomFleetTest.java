package dev.sluice.limiter.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.limiter.fleet.RandomFleet.Kind;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random fleets of every algorithm, with costs, several tiers, slow stores, and instances that are cut off or die: no
 * call is refused early, no limit is passed, and the store's totals are right when all is quiet. The system property
 * {@code sluice.seeds} says how many.
 */
class RandomFleetTest {

    private static final int SEEDS = Integer.getInteger("sluice.seeds", 200);

    @Test
    void isExactWhileTheStoreAnswers() {
        playAll(Kind.CALM);
    }

    @Test
    void isNeverOverWhenLinksAreCutAndInstancesDie() {
        playAll(Kind.TROUBLED);
    }

    @Test
    void isExactWhileLimitsAreLoadedAnew() {
        playAll(Kind.CHANGED);
    }

    @Test
    void isExactWhileCallsReturnWhatTheyTook() {
        playAll(Kind.REFUNDED);
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                900_000_165,
                910_000_382,
                910_001_218,
                910_003_910,
                960_001_071,
                960_002_350,
                960_003_291,
                980_003_960,
                985_001_749,
                985_003_690
            })
    void isExactInGamesThatFailedOnce(long seed) {
        assertThat(RandomFleet.play(seed, Kind.CALM)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {7_000_528, 910_001_156, 910_001_452, 985_001_139})
    void isNeverOverInGamesThatFailedOnce(long seed) {
        assertThat(RandomFleet.play(seed, Kind.TROUBLED)).isEmpty();
    }

    private static void playAll(Kind kind) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            assertThat(RandomFleet.play(seed, kind))
                    .as("seed %d, %s", seed, kind)
                    .isEmpty();
        }
    }

    /** Plays one seed, or as many as are asked for, and prints all that is wrong. */
    public static void main(String[] args) {
        long from = Long.parseLong(args[1]);
        long to = args.length > 2 ? Long.parseLong(args[2]) : from;
        for (long seed = from; seed <= to; seed++) {
            List<String> complaints = RandomFleet.play(seed, Kind.valueOf(args[0].toUpperCase(Locale.ROOT)));
            if (!complaints.isEmpty()) {
                System.out.println("seed " + seed + ": " + complaints);
            }
        }
    }
}
