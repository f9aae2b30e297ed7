package dev.sluice.traffic;

import dev.sluice.internal.traffic.sketch.Caller;
import dev.sluice.internal.traffic.sketch.HeavyCallers.Content;
import dev.sluice.internal.traffic.sketch.Tally;
import dev.sluice.internal.traffic.sketch.Tally.Kind;
import dev.sluice.tier.Tier;
import dev.sluice.traffic.CallerTraffic.Refusal;
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
    private final Map<Caller, Sum> sums = new HashMap<>();
    private final Map<String, long[]> endpoints = new TreeMap<>();
    /** By endpoint, the allowed calls whose decision reports another endpoint. */
    private final Map<String, Long> reportedElsewhere = new HashMap<>();
    /** How many calls an unlisted caller may have made in the slices so far. */
    private long missed;

    SliceSums(long nowMillis, CallerNames names) {
        this.nowMillis = nowMillis;
        this.names = names;
    }

    void add(TrafficSlice slice) {
        Content allowed = slice.allowed().content();
        Content refused = slice.refused().content();
        long missedHere = allowed.missed() + refused.missed();
        missed += missedHere;
        sums.values().forEach(sum -> sum.missed += missedHere);
        add(allowed);
        add(refused);
        slice.reportedElsewhere().forEach((endpoint, calls) -> {
            counts(endpoint);
            reportedElsewhere.merge(endpoint, calls.sum(), Long::sum);
        });
    }

    private void add(Content content) {
        content.sums().forEach(this::addTo);
        for (Tally tally : content.listed()) {
            sums.computeIfAbsent(tally.caller(), first -> new Sum(missed)).add(tally, content.missed());
        }
    }

    private void addTo(String endpoint, long[] counts) {
        long[] sum = counts(endpoint);
        for (int kind = 0; kind < sum.length; kind++) {
            sum[kind] += counts[kind];
        }
    }

    private long[] counts(String endpoint) {
        return endpoints.computeIfAbsent(endpoint, first -> new long[Kind.values().length]);
    }

    List<CallerTraffic> callers() {
        List<CallerTraffic> callers = new ArrayList<>();
        sums.forEach((caller, sum) -> {
            Tally latest = sum.latest;
            if (latest != null && latest.tier() != null) {
                callers.add(sum.toTraffic(caller, latest, latest.tier(), nowMillis, names.of(caller.subjects())));
            }
        });
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

    /** The sum of a caller over all slices. */
    private static final class Sum {

        private final long[] counts = new long[Kind.values().length];
        private final List<Tally.Second> refusals = new ArrayList<>();
        private long missed;
        private @Nullable Tally latest;

        private Sum(long missed) {
            this.missed = missed;
        }

        /** Adds a tally. The slice's bound for unlisted callers was added before, so it is taken back. */
        private void add(Tally tally, long missedIfNotListed) {
            for (Kind kind : Kind.values()) {
                counts[kind.at] += tally.calls(kind);
            }
            refusals.addAll(tally.seconds());
            missed += tally.missed() - missedIfNotListed;
            latest = latest == null || tally.latestMillis() >= latest.latestMillis() ? tally : latest;
        }

        /** The traffic of the caller, with the state after its latest decision, which reported this tier. */
        private CallerTraffic toTraffic(Caller caller, Tally last, Tier tier, long nowMillis, String name) {
            long capacity = tier.limit().capacity();
            return new CallerTraffic(
                    caller.endpoint(),
                    caller.subjects(),
                    counts[Kind.ALLOWED.at],
                    counts[Kind.REFUSED.at],
                    counts[Kind.WOULD_REFUSE.at],
                    missed,
                    tier.name(),
                    tier.limit().threshold(),
                    tier.limit().period().toMillis(),
                    capacity,
                    tier.limit().hasQueue(),
                    nowMillis >= last.resetAtMillis() ? capacity : last.remaining(),
                    last.resetAtMillis(),
                    last.latestMillis(),
                    name,
                    lastRefusals());
        }

        private List<Refusal> lastRefusals() {
            return refusals.stream()
                    .sorted(Comparator.comparingLong(Tally.Second::millis).reversed())
                    .limit(CallerTraffic.MOST_REFUSALS)
                    .map(second -> new Refusal(second.millis(), second.tier()))
                    .toList();
        }
    }
}
