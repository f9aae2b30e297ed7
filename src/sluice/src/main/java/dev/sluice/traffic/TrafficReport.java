package dev.sluice.traffic;

import java.util.Comparator;
import java.util.List;

/**
 * The traffic of approximately the last minute, or of one slice. Immutable.
 *
 * @param fromMillis the start of the traffic, in milliseconds since 1970
 * @param toMillis the end of the traffic, in milliseconds since 1970
 * @param callers the busiest and the most refused callers, in no particular order
 * @param endpoints all endpoints with calls, ordered by id
 */
public record TrafficReport(
        long fromMillis, long toMillis, List<CallerTraffic> callers, List<EndpointTraffic> endpoints) {

    public TrafficReport {
        callers = List.copyOf(callers);
        endpoints = List.copyOf(endpoints);
    }

    /** Returns the callers with the most calls, in descending order. */
    public List<CallerTraffic> mostCalling(int most) {
        return first(most, Comparator.comparingLong(caller -> caller.calls().all()));
    }

    /**
     * Returns the callers with the most refusals in descending order, followed by the callers with the most refusals in
     * a dry run. Omits callers without refusals.
     */
    public List<CallerTraffic> mostRefused(int most) {
        return first(
                        most,
                        Comparator.comparingLong(
                                        (CallerTraffic caller) -> caller.calls().refused())
                                .thenComparingLong(caller -> caller.calls().wouldRefuse()))
                .stream()
                .filter(caller -> caller.calls().refused() + caller.calls().wouldRefuse() > 0)
                .toList();
    }

    /** Returns the callers that have used the largest fraction of their limit, in descending order. */
    public List<CallerTraffic> nearestLimit(int most) {
        return first(
                most,
                Comparator.comparingDouble(caller ->
                        (double) caller.latest().used() / caller.latest().capacity()));
    }

    /** Returns the first callers in descending order. Ties are broken by name, so that the order is deterministic. */
    private List<CallerTraffic> first(int most, Comparator<CallerTraffic> by) {
        return callers.stream()
                .sorted(by.reversed().thenComparing(CallerTraffic::endpoint).thenComparing(CallerTraffic::client))
                .limit(most)
                .toList();
    }
}
