package dev.sluice.cli.compare;

import dev.sluice.internal.config.value.Durations;
import dev.sluice.tier.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table that compares all algorithms on the same traffic. */
record Comparison(long limit, Duration period, SampleTraffic traffic, List<Row> rows) {

    /**
     * The results of one algorithm.
     *
     * @param bytes the approximate number of bytes that one counter occupies
     * @param storeOperations the average number of counters that a call reads in the store if three instances share the
     *     limit
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

    /** Returns the title, for example {@code A limit of 100 in 1m, on random traffic (seed 1), 2400 calls in 20m}. */
    String title() {
        long periods = 1 + traffic.length().toMillis() / period.toMillis();
        return "A limit of " + limit + " in " + Durations.shortest(period) + ", on " + traffic + " in "
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

    /** Returns the meanings of the columns after the first one, in column order. */
    List<String> legend() {
        String span = Durations.shortest(period);
        return List.of(
                "The number of calls that passed.",
                "The number of calls that passed although the limit was used up in the " + span + " before them.",
                "The number of calls that were refused although the limit was not used up in the " + span
                        + " before them.",
                "The largest number of calls that passed in any " + span + ", as a percentage of the limit.",
                "The average difference between the algorithm's count and the calls that passed, as a percentage of "
                        + "the limit. Buckets have no such count.",
                "The average number of counters that a call reads in the store if three instances share the limit.",
                "The approximate memory for each caller, in bytes.");
    }

    /**
     * Returns one chart for each algorithm. The charts cover several periods around the end of the period in which the
     * first algorithm admitted the most calls. They show only the caller that made those calls.
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
                // We round to a multiple of ten, because the measurement is no more precise than that.
                String.valueOf((row.bytes() + 5) / 10 * 10));
    }

    private static String percent(String format, double percent) {
        return String.format(Locale.ROOT, format, percent) + "%";
    }
}
