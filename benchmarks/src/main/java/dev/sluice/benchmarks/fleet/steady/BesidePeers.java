package dev.sluice.benchmarks.fleet.steady;

import dev.sluice.benchmarks.fleet.rig.Latency;
import java.util.List;

/** Sluice and all others on Redis, played the same calls. */
public final class BesidePeers {

    private BesidePeers() {}

    /**
     * What came of one round.
     *
     * @param times the limit, the calls that were made
     * @param added to a call's time, in microseconds
     * @param commands of Redis for a call
     * @param processorMicros of Redis for a call
     * @param roundTrips of an instance in a second
     * @param unusedPercent of the limit that callers wanted and did not get, on average over callers and windows
     * @param overMost the most that passed beyond a caller's limit, in per cent of it
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

        private static Round of(Outcome outcome) {
            double calls = outcome.scenario().callsPerSecond();
            return new Round(
                    outcome.contestant(),
                    outcome.scenario().times(),
                    outcome.added(),
                    outcome.commands() / calls,
                    1e3 * outcome.cpuMillis() / calls,
                    outcome.roundTrips(),
                    outcome.windows().meanUnder(),
                    outcome.windows().maxBeyond());
        }
    }

    /** Plays: for 17 minutes, or for five if it is to be quick. */
    public static List<Round> play(boolean quick) {
        return Steady.outcomesOfRounds(Programme.besidePeers(quick)).stream()
                .map(Round::of)
                .toList();
    }
}
