package dev.sluice.results;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A Markdown table that is made from results, and tells when these were measured. Not thread-safe. */
final class Table {

    private final Results results;
    /** The commits that were measured, by day. */
    private final Map<String, Set<String>> measured = new LinkedHashMap<>();

    private final List<String> lines = new ArrayList<>();

    Table(Results results, String... heads) {
        this.results = results;
        row(heads);
        lines.add("|" + "---|".repeat(heads.length));
    }

    void row(String... cells) {
        lines.add(("| " + String.join(" | ", cells) + " |").replace("|  |", "| |"));
    }

    /** A figure, whose day and commit the table then tells. */
    Optional<Result> find(String subject, String contestant, String figure) {
        Optional<Result> found = results.find(subject, contestant, figure);
        found.ifPresent(result -> measured.computeIfAbsent(String.valueOf(result.date()), day -> new LinkedHashSet<>())
                .add("`%s`".formatted(result.commit())));
        return found;
    }

    /** A figure as a page shows it; a dash if it was not measured. */
    String cell(String subject, String contestant, String figure) {
        return find(subject, contestant, figure)
                .map(result -> Figures.withUnit(result.value(), result.unit()))
                .orElse("-");
    }

    /** The median of a ratio, and the middle half of its rounds. */
    static String ratio(Result ratio) {
        String low = Figures.ratio(ratio.low());
        String high = Figures.ratio(ratio.high());
        String value = Figures.ratio(ratio.value());
        return low.equals(high) ? value : value + " (" + low + " to " + high + ")";
    }

    /** A median and the middle half of its rounds, without their unit. */
    static String ranged(Result result) {
        return "%s (%s to %s)"
                .formatted(Figures.shown(result.value()), Figures.shown(result.low()), Figures.shown(result.high()));
    }

    /** The lines of the page: when it was measured, and the table; none if nothing was measured. */
    List<String> lines() {
        if (measured.isEmpty()) {
            return List.of();
        }
        String days = measured.entrySet().stream()
                .map(day -> day.getKey() + " at " + String.join(" and ", day.getValue()))
                .collect(Collectors.joining(", "));
        List<String> all = new ArrayList<>(List.of("Measured on " + days + ":", ""));
        all.addAll(lines);
        return all;
    }
}
