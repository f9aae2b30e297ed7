package dev.sluice.traffic;

import java.util.Comparator;
import java.util.List;

/**
 * About the last minute of traffic.
 *
 * @param fromMillis where it begins, in milliseconds since 1970
 * @param toMillis where it ends, likewise
 * @param callers the busiest, and those refused most, in no order
 * @param endpoints all that were called, by id
 */
public record TrafficReport(
        long fromMillis, long toMillis, List<CallerTraffic> callers, List<EndpointTraffic> endpoints) {

    public TrafficReport {
        callers = List.copyOf(callers);
        endpoints = List.copyOf(endpoints);
    }

    /** Those who called most. */
    public List<CallerTraffic> mostCalling(int most) {
        return first(most, Comparator.comparingLong(CallerTraffic::calls));
    }

    /** Those who were refused most, and behind them those whom a dry run would have refused most; nobody else. */
    public List<CallerTraffic> mostRefused(int most) {
        return first(
                        most,
                        Comparator.comparingLong(CallerTraffic::refused).thenComparingLong(CallerTraffic::wouldRefuse))
                .stream()
                .filter(caller -> caller.refused() + caller.wouldRefuse() > 0)
                .toList();
    }

    /** Those who have used most of their limit, in proportion. */
    public List<CallerTraffic> nearestLimit(int most) {
        return first(most, Comparator.comparingDouble(caller -> (double) caller.used() / caller.capacity()));
    }

    /** The largest first. Ties are broken by name, so that what is shown does not jump. */
    private List<CallerTraffic> first(int most, Comparator<CallerTraffic> by) {
        return callers.stream()
                .sorted(by.reversed().thenComparing(CallerTraffic::endpoint).thenComparing(CallerTraffic::client))
                .limit(most)
                .toList();
    }
}
