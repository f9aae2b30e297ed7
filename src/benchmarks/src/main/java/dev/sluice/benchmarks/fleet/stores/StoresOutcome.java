package dev.sluice.benchmarks.fleet.stores;

import dev.sluice.benchmarks.fleet.rig.MeasuredCall;
import dev.sluice.benchmarks.fleet.rig.Early;
import dev.sluice.benchmarks.fleet.rig.Latency;
import dev.sluice.benchmarks.fleet.rig.DefaultSlack;
import dev.sluice.benchmarks.fleet.rig.StoreUse;
import dev.sluice.benchmarks.fleet.rig.MeasuredWaits;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The result of one scene with one store.
 *
 * @param roundTrips the number of round trips for an instance's exchanges, per interval of one second
 * @param newsQuestions the number of times that an instance polls for news, per interval
 * @param documents the number of documents that all instances together write, per interval
 * @param conflicts the number of conflicts per write in an exchange
 * @param early the number of calls that were refused although the limit was not used up
 * @param over the maximum number of calls of one caller that passed beyond the limit
 */
record StoresOutcome(
        String store,
        StoresScene scene,
        double roundTrips,
        double newsQuestions,
        double documents,
        double conflicts,
        MeasuredWaits waits,
        Latency added,
        long early,
        long over) {

    /** Evaluates the calls in the measured window. */
    static StoresOutcome of(String store, StoresScene scene, List<MeasuredCall> all, StoreUse use) {
        List<MeasuredCall> calls =
                all.stream().filter(call -> call.planned().dueNanos() >= 0).toList();
        double[] micros = calls.stream().mapToDouble(MeasuredCall::micros).toArray();
        double seconds = StoresScene.MEASURED.toMillis() / 1e3;
        return new StoresOutcome(
                store,
                scene,
                use.roundTrips() / seconds / scene.instances(),
                use.newsQuestions() / seconds / scene.instances(),
                use.documents() / seconds,
                (double) use.conflicts() / Math.max(1, use.pushes()),
                MeasuredWaits.of(micros),
                Latency.of(micros),
                IntStream.range(0, StoresScene.CALLERS)
                        .mapToLong(caller -> early(calls, caller, scene.limit()))
                        .sum(),
                IntStream.range(0, StoresScene.CALLERS)
                        .mapToLong(caller -> begun(calls, caller, true).length - scene.limit())
                        .max()
                        .orElse(0));
    }

    private static long early(List<MeasuredCall> calls, int caller, long limit) {
        return Early.refusals(begun(calls, caller, false), begun(calls, caller, true), limit);
    }

    /** The times at which a caller's admitted calls began, or at which its other calls were refused. */
    private static double[] begun(List<MeasuredCall> calls, int caller, boolean admitted) {
        return calls.stream()
                .filter(call -> call.planned().caller() == caller && call.admitted() == admitted)
                .mapToDouble(call -> admitted ? call.begunNanos() : call.endedNanos())
                .toArray();
    }

    /** The number of calls that the default settings allow beyond a limit. */
    long slack() {
        return DefaultSlack.calls(scene.rule(), scene.instances());
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%-10s %12.1f %8.1f %14.1f %16.2f %9.2f %12.1f %10.1f %7d %6d",
                store,
                roundTrips,
                newsQuestions,
                documents,
                conflicts,
                waits.percent(),
                waits.p99Millis(),
                added.p99() / 1e3,
                early,
                Math.max(0, over));
    }
}
