package dev.sluice.benchmarks.fleet.growth;

import dev.sluice.benchmarks.fleet.rig.AnsweredCall;
import dev.sluice.benchmarks.fleet.rig.Contestant;
import dev.sluice.benchmarks.fleet.rig.Latency;
import dev.sluice.benchmarks.fleet.rig.Usage;
import dev.sluice.benchmarks.fleet.rig.Waits;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The result of one contestant in one scene.
 *
 * @param commands Redis commands per call, including those in scripts
 * @param roundTrips round trips per instance and second
 * @param refused refused calls; no caller comes near the limit
 */
record Outcome(
        String contestant,
        Scene scene,
        double commands,
        double roundTrips,
        double cpuMicros,
        Waits waits,
        Latency added,
        long refused) {

    /** The result of the calls that were due in the measured time. */
    static Outcome of(Contestant contestant, Scene scene, List<AnsweredCall> all, Usage usage, Duration measured) {
        List<AnsweredCall> calls =
                all.stream().filter(call -> call.planned().dueNanos() >= 0).toList();
        double[] micros = calls.stream().mapToDouble(AnsweredCall::micros).toArray();
        double seconds = measured.toNanos() / 1e9;
        return new Outcome(
                contestant.name(),
                scene,
                (double) usage.commands() / calls.size(),
                contestant.roundTrips().applyAsLong(usage) / seconds / scene.instances(),
                1e6 * usage.cpuSeconds() / calls.size(),
                Waits.of(micros),
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
