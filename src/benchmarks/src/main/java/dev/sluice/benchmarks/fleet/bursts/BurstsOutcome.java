package dev.sluice.benchmarks.fleet.bursts;

import dev.sluice.benchmarks.fleet.rig.MeasuredCall;
import dev.sluice.benchmarks.fleet.rig.Contestant;
import dev.sluice.benchmarks.fleet.rig.Early;
import dev.sluice.benchmarks.fleet.rig.Usage;
import dev.sluice.benchmarks.fleet.rig.MeasuredWaits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The result of one contestant for one pattern. All figures are totals over all callers unless stated otherwise.
 *
 * @param calls the number of calls
 * @param early the number of calls that were refused although the fleet had admitted fewer calls than the limit
 * @param touched the number of callers with early refusals
 * @param over the number of calls that passed beyond the limit
 * @param mostOver the maximum number of calls beyond the limit, for one caller in one window
 * @param missing the number of calls that never passed although there were permits for them
 * @param roundTrips the number of round trips per admitted call
 * @param commands the number of Redis commands per admitted call, including those in scripts
 * @param pushes the number of messages that Redis pushed to instances
 * @param late the number of calls that became due while no thread was free
 */
record BurstsOutcome(
        String contestant,
        Pattern pattern,
        int calls,
        long early,
        int touched,
        long over,
        long mostOver,
        long missing,
        MeasuredWaits waits,
        double roundTrips,
        double commands,
        long pushes,
        long late) {

    private static final double LATE_MILLIS = 10;

    /** The result for one caller in one window. */
    private record Verdict(long early, long over, long missing) {

        static Verdict of(List<MeasuredCall> calls, Pattern pattern) {
            double[] refusedAt = calls.stream()
                    .filter(call -> !call.admitted())
                    .mapToDouble(MeasuredCall::endedNanos)
                    .toArray();
            double[] admittedFrom = calls.stream()
                    .filter(MeasuredCall::admitted)
                    .mapToDouble(MeasuredCall::begunNanos)
                    .toArray();
            long threshold = pattern.rule().threshold();
            return new Verdict(
                    Early.refusals(refusedAt, admittedFrom, threshold),
                    Math.max(0, admittedFrom.length - threshold),
                    Math.max(0, pattern.room() - admittedFrom.length));
        }
    }

    static BurstsOutcome of(Contestant contestant, Pattern pattern, List<MeasuredCall> calls, Usage usage) {
        Map<Integer, List<MeasuredCall>> byNumber = calls.stream()
                .collect(Collectors.groupingBy(call -> call.planned().caller()));
        List<Verdict> verdicts = new ArrayList<>();
        Set<Integer> touched = new HashSet<>();
        byNumber.forEach((number, ofCaller) -> {
            Verdict verdict = Verdict.of(ofCaller, pattern);
            verdicts.add(verdict);
            if (verdict.early > 0) {
                touched.add(Pattern.callerOf(number));
            }
        });
        double admitted =
                Math.max(1, calls.stream().filter(MeasuredCall::admitted).count());
        return new BurstsOutcome(
                contestant.name(),
                pattern,
                calls.size(),
                verdicts.stream().mapToLong(Verdict::early).sum(),
                touched.size(),
                verdicts.stream().mapToLong(Verdict::over).sum(),
                verdicts.stream().mapToLong(Verdict::over).max().orElse(0),
                verdicts.stream().mapToLong(Verdict::missing).sum(),
                MeasuredWaits.of(calls.stream().mapToDouble(MeasuredCall::micros).toArray()),
                contestant.roundTrips().applyAsLong(usage) / admitted,
                usage.commands() / admitted,
                usage.pushes(),
                calls.stream().filter(call -> call.lateMillis() > LATE_MILLIS).count());
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%-22s %8.1f %8d %6d %8d %9.2f %9.2f %11.2f %14.2f %7d %5d",
                contestant,
                100.0 * early / calls,
                touched,
                over,
                missing,
                waits.percent(),
                waits.p99Millis(),
                roundTrips,
                commands,
                pushes,
                late);
    }
}
