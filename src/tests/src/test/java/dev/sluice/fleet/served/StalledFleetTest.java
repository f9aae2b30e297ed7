package dev.sluice.fleet.served;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Of three {@code serve} processes and a Redis, one at a time is paused for up to 200 ms. Still no call is refused
 * early, no limit is exceeded, and no process logs a warning. {@link #main} plays as many runs as you like.
 */
@Timeout(300)
@Tag("store")
@Tag("thorough")
@Tag("server")
class StalledFleetTest {

    private static final int MOST_REPLAYS = 4;

    @Test
    void aShortStallOfAProcessHasNoEffect(@TempDir Path directory) throws IOException {
        long seed = new Random().nextInt(1_000_000);
        System.out.println("seed " + seed);
        try (ServedFleet fleet = new ServedFleet(Stalls.LIMITS, directory)) {
            Stalls.warmUp(fleet);
            Stalls.Result result = play(fleet, Stalls.Victim.EITHER, seed);
            System.out.println(Stalls.Result.head() + "\n" + result);
            Assumptions.assumeFalse(!result.isGood() && result.isLate(), "the machine is too busy to prove anything");
            assertThat(result.warnings()).isEmpty();
            assertThat(result).matches(Stalls.Result::isGood, "0 early, missing, over and unsettled");
            assertThat(result.stalls()).isPositive();
        }
    }

    /** Repeats a run that failed while this process itself was starved of CPU. */
    private static Stalls.Result play(ServedFleet fleet, Stalls.Victim victim, long seed) {
        Stalls.Result result = Stalls.play(fleet, victim, seed);
        for (int again = 0; again < MOST_REPLAYS && !result.isGood() && result.isLate(); again++) {
            System.out.println(Stalls.Result.head() + "\n" + result + " (played again, since the machine is busy)");
            result = Stalls.play(fleet, victim, seed);
        }
        return result;
    }

    /** Takes a seed, a number of runs for each victim, and the {@link Stalls.Victim}s; if none is named, all. */
    public static void main(String[] arguments) throws IOException {
        long seed = Long.parseLong(arguments[0]);
        int runs = Integer.parseInt(arguments[1]);
        Stalls.Victim[] victims =
                Arrays.stream(arguments).skip(2).map(Stalls.Victim::valueOf).toArray(Stalls.Victim[]::new);
        System.out.printf("%-14s %7s %s%n", "", "seed", Stalls.Result.head());
        boolean good = true;
        for (Stalls.Victim victim : victims.length == 0 ? Stalls.Victim.values() : victims) {
            if (victim == Stalls.Victim.WITHOUT_QUOTA && !CpuQuota.obstacle().isEmpty()) {
                System.out.println(victim + ": skipped, since " + CpuQuota.obstacle());
                continue;
            }
            try (ServedFleet fleet = new ServedFleet(Stalls.LIMITS, Files.createTempDirectory("sluice-stalls"))) {
                Stalls.warmUp(fleet);
                for (int run = 0; run < runs; run++) {
                    Stalls.Result result = play(fleet, victim, seed + run);
                    System.out.printf("%-14s %7d %s%n", victim, seed + run, result);
                    result.warnings().stream().limit(3).forEach(System.out::println);
                    good &= result.isGood() || result.isLate();
                }
            }
        }
        System.exit(good ? 0 : 1);
    }
}
