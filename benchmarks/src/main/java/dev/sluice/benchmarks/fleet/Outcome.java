package dev.sluice.benchmarks.fleet;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * What one contestant made of one scenario, over all rounds of it.
 *
 * @param timed whether calls' times mean something, because nobody else was playing
 * @param added time from a call's start to its answer
 * @param sinceDue time from the moment a call was due to its answer
 * @param commands of Redis, a second, those within scripts included
 * @param roundTrips for an instance and second
 * @param dropped part of the calls for which no thread was free until the end, in per cent
 * @param calls how often Redis has run each command
 */
record Outcome(
        String contestant,
        Scenario scenario,
        boolean timed,
        Latency added,
        Latency sinceDue,
        double commands,
        double roundTrips,
        double dropped,
        Windows windows,
        Map<String, Long> calls) {

    /** One round of a scenario, and how often Redis has run each command in it. */
    record Round(Played played, Map<String, Long> calls) {

        DoubleStream begunCalls(CallTime time) {
            return IntStream.range(0, played.arrivals.size)
                    .filter(played::begun)
                    .mapToDouble(call -> time.of(played, call));
        }
    }

    /** A way to time a call. */
    interface CallTime {
        double of(Played played, int call);
    }

    static Outcome of(Contestant contestant, Scenario scenario, boolean timed, List<Round> rounds) {
        Map<String, Long> calls = new TreeMap<>();
        double seconds = 0;
        long due = 0;
        long begun = 0;
        for (Round round : rounds) {
            Played played = round.played();
            round.calls().forEach((command, number) -> calls.merge(command, number, Long::sum));
            seconds += played.arrivals.windows * (double) Rule.PERIOD.toSeconds();
            for (int call = 0; call < played.arrivals.size; call++) {
                due += played.counts(call) ? 1 : 0;
                begun += played.begun(call) ? 1 : 0;
            }
        }
        return new Outcome(
                contestant.name(),
                scenario,
                timed,
                latency(rounds, Played::micros),
                latency(rounds, Played::microsSinceDue),
                calls.values().stream().mapToLong(Long::longValue).sum() / seconds,
                contestant.roundTrips().applyAsLong(calls) / seconds / scenario.instances(),
                100.0 * (due - begun) / due,
                Windows.of(rounds.stream().map(Round::played).toList()),
                calls);
    }

    private static Latency latency(List<Round> rounds, CallTime time) {
        return Latency.of(
                rounds.stream().flatMapToDouble(round -> round.begunCalls(time)).toArray());
    }
}
