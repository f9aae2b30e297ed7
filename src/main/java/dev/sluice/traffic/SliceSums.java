package dev.sluice.traffic;

import dev.sluice.traffic.CallerTraffic.Refusal;
import dev.sluice.traffic.sketch.Caller;
import dev.sluice.traffic.sketch.HeavyCallers.Content;
import dev.sluice.traffic.sketch.Tally;
import dev.sluice.traffic.sketch.Tally.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Adds up time slices. Not safe for several threads. */
final class SliceSums {

    private final long nowMillis;
    private final Map<Caller, Sum> sums = new HashMap<>();
    private final Map<String, long[]> endpoints = new TreeMap<>();
    /** How many calls an unlisted caller may have had in the slices so far. */
    private long missed;

    SliceSums(long nowMillis) {
        this.nowMillis = nowMillis;
    }

    void add(TrafficSlice slice) {
        Content allowed = slice.allowed().content();
        Content refused = slice.refused().content();
        Map<Caller, Pair> pairs = new HashMap<>();
        allowed.listed().forEach(tally -> pair(pairs, tally).allowed = tally);
        refused.listed().forEach(tally -> pair(pairs, tally).refused = tally);
        for (Content content : List.of(allowed, refused)) {
            content.listed().forEach(tally -> addTo(tally.caller().endpoint(), counts(tally)));
            content.notListed().forEach(this::addTo);
        }
        long missedBefore = missed;
        long missedHere = allowed.missed() + refused.missed();
        missed += missedHere;
        sums.values().forEach(sum -> sum.missed += missedHere);
        pairs.forEach((caller, pair) -> sums.computeIfAbsent(caller, first -> new Sum(missedBefore + missedHere))
                .add(pair, allowed.missed(), refused.missed()));
    }

    private static Pair pair(Map<Caller, Pair> pairs, Tally tally) {
        return pairs.computeIfAbsent(tally.caller(), first -> new Pair());
    }

    private void addTo(String endpoint, long[] counts) {
        long[] sum = endpoints.computeIfAbsent(endpoint, first -> new long[Kind.values().length]);
        for (int kind = 0; kind < sum.length; kind++) {
            sum[kind] += counts[kind];
        }
    }

    private static long[] counts(Tally tally) {
        long[] counts = new long[Kind.values().length];
        for (Kind kind : Kind.values()) {
            counts[kind.at] = tally.calls(kind);
        }
        return counts;
    }

    List<CallerTraffic> callers() {
        List<CallerTraffic> callers = new ArrayList<>();
        sums.forEach((caller, sum) -> {
            Tally latest = sum.latest;
            if (latest != null && latest.tier() != null) {
                callers.add(sum.toTraffic(caller, latest, nowMillis));
            }
        });
        return callers;
    }

    List<EndpointTraffic> endpoints() {
        List<EndpointTraffic> toTraffic = new ArrayList<>();
        endpoints.forEach((endpoint, counts) -> toTraffic.add(new EndpointTraffic(
                endpoint, counts[Kind.ALLOWED.at], counts[Kind.REFUSED.at], counts[Kind.WOULD_REFUSE.at])));
        return toTraffic;
    }

    /** The tallies of a caller in one slice: of passed calls, of refused calls, or both. */
    private static final class Pair {

        private @Nullable Tally allowed;
        private @Nullable Tally refused;
    }

    /** The sum of a caller over all slices. */
    private static final class Sum {

        private final long[] counts = new long[Kind.values().length];
        private final List<Tally> refusals = new ArrayList<>();
        private long missed;
        private @Nullable Tally latest;

        private Sum(long missed) {
            this.missed = missed;
        }

        /** Adds a slice. Where the caller is not listed, calls may have been missed; these were already added. */
        private void add(Pair pair, long missedOfAllowed, long missedOfRefused) {
            if (pair.allowed != null) {
                take(pair.allowed, missedOfAllowed);
            }
            if (pair.refused != null) {
                refusals.add(pair.refused);
                take(pair.refused, missedOfRefused);
            }
        }

        private void take(Tally tally, long missedIfNotListed) {
            for (Kind kind : Kind.values()) {
                counts[kind.at] += tally.calls(kind);
            }
            missed += tally.missed() - missedIfNotListed;
            setLatest(tally);
        }

        private void setLatest(Tally tally) {
            latest = latest == null || tally.latestMillis() >= latest.latestMillis() ? tally : latest;
        }

        private CallerTraffic toTraffic(Caller caller, Tally last, long nowMillis) {
            List<Refusal> latest = refusals.stream()
                    .flatMap(tally -> tally.seconds().stream())
                    .sorted(Comparator.comparingLong(Tally.Second::millis).reversed())
                    .limit(CallerTraffic.MOST_REFUSALS)
                    .map(second -> new Refusal(second.millis(), second.tier()))
                    .toList();
            return CallerTraffic.of(caller, counts, missed, last, latest, nowMillis);
        }
    }
}
