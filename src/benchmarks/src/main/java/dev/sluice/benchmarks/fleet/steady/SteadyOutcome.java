package dev.sluice.benchmarks.fleet.steady;

import dev.sluice.benchmarks.fleet.rig.Contestant;
import dev.sluice.benchmarks.fleet.rig.Latency;
import dev.sluice.benchmarks.fleet.rig.Usage;
import dev.sluice.benchmarks.fleet.rig.MeasuredWaits;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The result of one contestant in one scenario, over all rounds.
 *
 * @param timed whether the times of calls are meaningful, because no other contestant was playing
 * @param added the times from the start of a call to the decision
 * @param sinceDue the times from when a call was due to the decision
 * @param waits the calls that waited
 * @param commands the number of Redis commands per second, including those in scripts
 * @param cpuMillis the CPU time of Redis per second, minus that of an idle Redis server
 * @param roundTrips the number of round trips per instance and second
 * @param sentKilobytes the amount of data that Redis sent to its clients per second, in kilobytes
 * @param dropped the percentage of calls that never began because no thread was free
 * @param usage the work done by Redis
 */
record SteadyOutcome(
        String contestant,
        Scenario scenario,
        boolean timed,
        Latency added,
        Latency sinceDue,
        MeasuredWaits waits,
        double commands,
        double cpuMillis,
        double roundTrips,
        double sentKilobytes,
        double dropped,
        CallerWindows windows,
        Usage usage) {

    /** A round of a scenario, with the work that Redis did in it. */
    record Round(Played played, Usage usage) {

        DoubleStream begunCalls(CallTime time) {
            return IntStream.range(0, played.arrivals.size)
                    .filter(played::begun)
                    .mapToDouble(call -> time.of(played, call));
        }
    }

    /** A way of timing a call. */
    interface CallTime {
        double of(Played played, int call);
    }

    static SteadyOutcome of(Contestant contestant, Scenario scenario, boolean timed, List<Round> rounds) {
        Usage usage = Usage.NONE;
        double seconds = 0;
        long due = 0;
        long begun = 0;
        for (Round round : rounds) {
            Played played = round.played();
            usage = usage.plus(round.usage());
            seconds += played.arrivals.windows * (double) Article.PERIOD.toSeconds();
            for (int call = 0; call < played.arrivals.size; call++) {
                due += played.counts(call) ? 1 : 0;
                begun += played.begun(call) ? 1 : 0;
            }
        }
        return new SteadyOutcome(
                contestant.name(),
                scenario,
                timed,
                latency(rounds, Played::micros),
                latency(rounds, Played::microsSinceDue),
                MeasuredWaits.of(times(rounds, Played::micros)),
                usage.commands() / seconds,
                1e3 * usage.cpuSeconds() / seconds,
                contestant.roundTrips().applyAsLong(usage) / seconds / scenario.instances(),
                usage.sentBytes() / 1e3 / seconds,
                100.0 * (due - begun) / due,
                CallerWindows.of(rounds.stream().map(Round::played).toList()),
                usage);
    }

    private static Latency latency(List<Round> rounds, CallTime time) {
        return Latency.of(times(rounds, time));
    }

    private static double[] times(List<Round> rounds, CallTime time) {
        return rounds.stream().flatMapToDouble(round -> round.begunCalls(time)).toArray();
    }
}
