package dev.sluice.cli.compare;

import dev.sluice.internal.config.value.Durations;
import dev.sluice.tier.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** All algorithms on the same traffic, as a table. */
record Comparison(long limit, Duration period, SampleTraffic traffic, List<Row> rows) {

    /**
     * One algorithm.
     *
     * @param bytes of a counter, roughly
     * @param storeOperations for each call, if instances count together
     */
    record Row(Playback playback, long bytes, double storeOperations) {}

    static Comparison of(long limit, Duration period, long burst, SampleTraffic traffic, CounterMemory.Meter memory) {
        List<ComparedAlgorithm> algorithms = ComparedAlgorithm.all(limit, period, burst);
        List<Limit> limits = algorithms.stream().map(ComparedAlgorithm::limit).toList();
        List<Long> bytes = memory.bytes(limits, traffic.moment(0));
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < algorithms.size(); i++) {
            rows.add(new Row(
                    Playback.of(algorithms.get(i), traffic),
                    bytes.get(i),
                    StoreOperations.perCall(limits.get(i), traffic)));
        }
        return new Comparison(limit, period, traffic, rows);
    }

    /** For example {@code 100 in 1m; random traffic (seed 1), 2400 calls in 20m}. */
    String title() {
        long periods = 1 + traffic.length().toMillis() / period.toMillis();
        return limit + " in " + Durations.shortest(period) + "; " + traffic + " in "
                + Durations.shortest(period.multipliedBy(periods));
    }

    List<String> columns() {
        return List.of(
                "algorithm",
                "passed",
                "too many",
                "too few",
                "worst " + Durations.shortest(period),
                "off by",
                "store ops",
                "memory");
    }

    /** What the columns mean, in order, without the first. */
    List<String> legend() {
        String span = Durations.shortest(period);
        return List.of(
                "calls that passed",
                "of these, calls that passed although the " + span + " before them were full",
                "calls that were refused although the " + span + " before them had room",
                "the most calls that passed in any " + span + ", in per cent of the limit",
                "average difference between what it counts and what passed, in per cent of the limit; buckets count no periods",
                "counters read in the store per call, if three instances count together",
                "bytes per caller, roughly");
    }

    /**
     * A chart for each algorithm, around the moment at which the first algorithm admitted the most, for the caller who
     * made those calls.
     */
    List<Chart> charts() {
        Playback first = rows.get(0).playback();
        long moment = traffic.moment(first.worstAt);
        SampleTraffic shown = traffic.only(traffic.caller(first.worstAt));
        return rows.stream()
                .map(row -> shown == traffic ? row.playback() : Playback.of(row.playback().algorithm, shown))
                .map(playback -> new Chart(playback, moment))
                .toList();
    }

    List<List<String>> cells() {
        return rows.stream().map(Comparison::cells).toList();
    }

    private static List<String> cells(Row row) {
        Playback playback = row.playback();
        return List.of(
                playback.algorithm.title(),
                String.valueOf(playback.admitted.cardinality()),
                String.valueOf(playback.tooMany),
                String.valueOf(playback.tooFew),
                percent("%.0f", playback.percentOfLimit(playback.worst)),
                playback.algorithm.countsPeriods() ? percent("%.1f", playback.percentOfLimit(playback.drift)) : "-",
                String.format(Locale.ROOT, "%.2f", row.storeOperations()),
                String.valueOf((row.bytes() + 5) / 10 * 10));
    }

    private static String percent(String format, double percent) {
        return String.format(Locale.ROOT, format, percent) + "%";
    }
}
