package dev.sluice.benchmarks.fleet.growth;

import dev.sluice.benchmarks.fleet.rig.MeasuredCall;
import dev.sluice.benchmarks.fleet.rig.Contestant;
import dev.sluice.benchmarks.fleet.rig.Latency;
import dev.sluice.benchmarks.fleet.rig.Usage;
import dev.sluice.benchmarks.fleet.rig.MeasuredWaits;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The result of one contestant in one scene.
 *
 * @param commands the number of Redis commands per call, including those in scripts
 * @param roundTrips the number of round trips per instance and second
 * @param refused the number of refused calls, although no caller comes near the limit
 */
record GrowthOutcome(
        String contestant,
        GrowthScene scene,
        double commands,
        double roundTrips,
        double cpuMicros,
        MeasuredWaits waits,
        Latency added,
        long refused) {

    /** Evaluates the calls that were due in the measured time. */
    static GrowthOutcome of(Contestant contestant, GrowthScene scene, List<MeasuredCall> all, Usage usage, Duration measured) {
        List<MeasuredCall> calls =
                all.stream().filter(call -> call.planned().dueNanos() >= 0).toList();
        double[] micros = calls.stream().mapToDouble(MeasuredCall::micros).toArray();
        double seconds = measured.toNanos() / 1e9;
        return new GrowthOutcome(
                contestant.name(),
                scene,
                (double) usage.commands() / calls.size(),
                contestant.roundTrips().applyAsLong(usage) / seconds / scene.instances(),
                1e6 * usage.cpuSeconds() / calls.size(),
                MeasuredWaits.of(micros),
                Latency.of(micros),
                calls.stream().filter(call -> !call.admitted()).count());
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%-22s %14.2f %12.1f %12.2f %9.3f %9.1f %10.1f %8d",
                contestant,
                commands,
                roundTrips,
                cpuMicros,
                waits.percent(),
                added.p99(),
                added.p999(),
                refused);
    }
}
