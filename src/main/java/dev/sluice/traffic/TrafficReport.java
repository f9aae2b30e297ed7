package dev.sluice.traffic;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The traffic of about the last minute.
 *
 * @param fromMillis its start, in milliseconds since 1970
 * @param toMillis its end, likewise
 * @param callers the busiest and the most refused callers, unordered
 * @param endpoints all called endpoints, by id
 */
public record TrafficReport(
        long fromMillis, long toMillis, List<CallerTraffic> callers, List<EndpointTraffic> endpoints) {

    public TrafficReport {
        callers = List.copyOf(callers);
        endpoints = List.copyOf(endpoints);
    }

    /** The callers with the most calls. */
    public List<CallerTraffic> mostCalling(int most) {
        return first(most, CallerTraffic::calls);
    }

    /** The callers with the most refusals, including those of a dry run; without callers that have none. */
    public List<CallerTraffic> mostRefused(int most) {
        return first(most, caller -> caller.refused() + caller.wouldRefuse()).stream()
                .filter(caller -> caller.refused() + caller.wouldRefuse() > 0)
                .toList();
    }

    /** The callers that used the largest part of their limit. */
    public List<CallerTraffic> nearestLimit(int most) {
        return first(most, caller -> (double) caller.used() / caller.capacity());
    }

    /** Ties are broken by name, so that the order is stable. */
    private List<CallerTraffic> first(int most, ToDoubleFunction<CallerTraffic> by) {
        return callers.stream()
                .sorted(Comparator.comparingDouble(by)
                        .reversed()
                        .thenComparing(CallerTraffic::endpoint)
                        .thenComparing(CallerTraffic::client))
                .limit(most)
                .toList();
    }
}
