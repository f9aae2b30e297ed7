package dev.sluice.traffic;

import dev.sluice.tier.Tier;
import dev.sluice.traffic.CallerTraffic.Calls;
import dev.sluice.traffic.CallerTraffic.Refusal;
import dev.sluice.traffic.CallerTraffic.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Adds up time slices. Not thread-safe. */
final class SliceSums {

    private final long nowMillis;
    private final CallerNames names;
    /** The sums by caller number. */
    private final Map<Long, Sum> sums = new HashMap<>();

    private final Map<String, long[]> endpoints = new TreeMap<>();
    /** The allowed calls whose decision reports a different endpoint, by endpoint. */
    private final Map<String, Long> reportedElsewhere = new HashMap<>();

    SliceSums(long nowMillis, CallerNames names) {
        this.nowMillis = nowMillis;
        this.names = names;
    }

    void add(TrafficSlice slice) {
        add(slice.allowed());
        add(slice.refused());
        slice.reportedElsewhere().forEach((endpoint, calls) -> {
            counts(endpoint);
            reportedElsewhere.merge(endpoint, calls.sum(), Long::sum);
        });
    }

    private void add(CallerTallies tallies) {
        tallies.sums().forEach(this::addTo);
        tallies.tallies()
                .forEach((caller, tally) ->
                        sums.computeIfAbsent(caller, first -> new Sum()).add(tally));
    }

    private void addTo(String endpoint, long[] counts) {
        long[] sum = counts(endpoint);
        for (int kind = 0; kind < sum.length; kind++) {
            sum[kind] += counts[kind];
        }
    }

    private long[] counts(String endpoint) {
        return endpoints.computeIfAbsent(endpoint, first -> new long[Kind.COUNT]);
    }

    List<CallerTraffic> callers() {
        List<CallerTraffic> callers = new ArrayList<>();
        for (Sum sum : sums.values()) {
            CallerTally latest = sum.latest;
            Tier tier = latest == null ? null : latest.tier();
            if (latest != null && tier != null) {
                callers.add(sum.toTraffic(latest, tier, nowMillis, names.of(latest.subjects)));
            }
        }
        return callers;
    }

    List<EndpointTraffic> endpoints() {
        List<EndpointTraffic> toTraffic = new ArrayList<>();
        endpoints.forEach((endpoint, counts) -> {
            long elsewhere = reportedElsewhere.getOrDefault(endpoint, 0L);
            toTraffic.add(new EndpointTraffic(
                    endpoint,
                    counts[Kind.ALLOWED.at] + elsewhere,
                    counts[Kind.REFUSED.at],
                    counts[Kind.WOULD_REFUSE.at],
                    elsewhere));
        });
        return toTraffic;
    }

    /** The sum of one caller's calls over all slices. */
    private static final class Sum {

        private final long[] counts = new long[Kind.COUNT];
        private final List<Refusal> refusals = new ArrayList<>();
        private @Nullable CallerTally latest;

        private void add(CallerTally tally) {
            for (Kind kind : Kind.values()) {
                counts[kind.at] += tally.calls(kind);
            }
            refusals.addAll(tally.seconds());
            latest = latest == null || tally.latestMillis() >= latest.latestMillis() ? tally : latest;
        }

        /**
         * Returns the caller's traffic, with the state after the caller's latest decision. That decision reported the
         * given tier.
         */
        private CallerTraffic toTraffic(CallerTally last, Tier tier, long nowMillis, String name) {
            long remaining = nowMillis >= last.resetAtMillis() ? tier.limit().capacity() : last.remaining();
            return new CallerTraffic(
                    last.endpoint,
                    last.subjects,
                    name,
                    new Calls(counts[Kind.ALLOWED.at], counts[Kind.REFUSED.at], counts[Kind.WOULD_REFUSE.at]),
                    new State(tier, remaining, last.resetAtMillis(), last.latestMillis()),
                    lastRefusals());
        }

        private List<Refusal> lastRefusals() {
            return refusals.stream()
                    .sorted(Comparator.comparingLong(Refusal::atMillis).reversed())
                    .limit(CallerTraffic.MOST_REFUSALS)
                    .toList();
        }
    }
}
