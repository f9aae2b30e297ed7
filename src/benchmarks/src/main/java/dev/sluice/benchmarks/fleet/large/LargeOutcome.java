package dev.sluice.benchmarks.fleet.large;

import dev.sluice.benchmarks.fleet.rig.Contestant;
import dev.sluice.benchmarks.fleet.rig.Usage;
import java.util.Locale;

/**
 * The result of one scene for some of its windows.
 *
 * @param commands the number of Redis commands per call, including those in scripts
 * @param roundTrips the number of round trips per instance and second
 * @param waits the percentage of calls that waited for Redis
 * @param refused the number of refused calls, although no caller comes near the limit
 */
record LargeOutcome(String windows, double commands, double roundTrips, double cpuMicros, double waits, long refused) {

    static LargeOutcome of(
            String windows, LargeScene scene, int count, long calls, Usage usage, long waited, long refused) {
        double seconds = (double) count * LargeScene.PERIOD.toSeconds();
        long roundTrips = Contestant.named(Contestant.SLUICE).roundTrips().applyAsLong(usage);
        return new LargeOutcome(
                windows,
                (double) usage.commands() / calls,
                roundTrips / seconds / scene.instances(),
                1e6 * usage.cpuSeconds() / calls,
                100.0 * waited / calls,
                refused);
    }

    static String header() {
        return String.format(
                "%-16s %14s %12s %12s %9s %8s", "", "commands/call", "round trips", "CPU µs/call", "waits, %", "refused");
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%-16s %14.2f %12.1f %12.2f %9.3f %8d",
                windows,
                commands,
                roundTrips,
                cpuMicros,
                waits,
                refused);
    }
}
