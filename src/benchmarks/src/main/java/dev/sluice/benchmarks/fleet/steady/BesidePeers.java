package dev.sluice.benchmarks.fleet.steady;

import dev.sluice.benchmarks.fleet.rig.Latency;
import java.util.List;

/** Plays the same calls to Sluice and all other limiters on Redis. */
public final class BesidePeers {

    private BesidePeers() {}

    /**
     * The result of one round for one contestant.
     *
     * @param times the number of calls as a multiple of the limit
     * @param added the time added to a call, in microseconds
     * @param commands the number of Redis commands per call
     * @param processorMicros the CPU time of Redis per call, in microseconds
     * @param roundTrips the number of round trips per instance and second
     * @param unusedPercent the permits that callers requested but did not get although the limit was not used up, as a
     *     percentage of the limit, averaged over callers and windows
     * @param overMost the maximum number of calls that passed beyond a caller's limit, as a percentage of that limit
     */
    public record Round(
            String contestant,
            double times,
            Latency added,
            double commands,
            double processorMicros,
            double roundTrips,
            double unusedPercent,
            double overMost) {

        private static Round of(SteadyOutcome outcome) {
            double calls = outcome.scenario().callsPerSecond();
            return new Round(
                    outcome.contestant(),
                    outcome.scenario().times(),
                    outcome.added(),
                    outcome.commands() / calls,
                    1e3 * outcome.cpuMillis() / calls,
                    outcome.roundTrips(),
                    // a call at the boundary between two windows can belong to either of them, which causes an error of
                    // a few thousandths
                    Math.round(100 * outcome.windows().meanUnder()) / 100.0,
                    outcome.windows().maxBeyond());
        }
    }

    /** Plays the calls for 20 minutes, or for five minutes if {@code quick}. */
    public static List<Round> play(boolean quick) {
        return Steady.outcomesOfRounds(Programme.besidePeers(quick)).stream()
                .map(Round::of)
                .toList();
    }
}
