package dev.sluice.cli.rehearse.suggest;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The calls that a suggested endpoint would match.
 *
 * @param id the endpoint id; empty until it is assigned
 */
record PathGroup(String id, String method, String pattern, long calls) {

    private static final int LONGEST_ID = 56;
    /**
     * Calls that change data are weighted by this factor, because they need a limit more urgently than calls that only
     * read data.
     */
    private static final int WEIGHT_OF_WRITE = 10;

    /** Returns the same groups, each with a unique id. */
    static List<PathGroup> withIds(List<PathGroup> groups) {
        Map<String, Integer> used = new HashMap<>();
        return groups.stream()
                .map(group -> {
                    String id = group.plainId();
                    int before = used.merge(id, 1, Integer::sum);
                    return new PathGroup(
                            before == 1 ? id : id + "-" + before, group.method, group.pattern, group.calls);
                })
                .toList();
    }

    boolean onlyReads() {
        return method.equals("GET") || method.equals("OPTIONS");
    }

    /** Returns a measure of how important a limit is for these calls. */
    long weight() {
        return calls * (onlyReads() ? 1 : WEIGHT_OF_WRITE);
    }

    String where() {
        return method + " " + pattern;
    }

    /** Returns the id before it is made unique, for example {@code get-product-id} for {@code GET /product/{id}}. */
    private String plainId() {
        String words = Stream.of(pattern.split("/", -1))
                .filter(segment -> !segment.isEmpty())
                .map(segment -> segment.startsWith("{") ? "id" : segment)
                .collect(Collectors.joining("-"));
        String id = (method + (words.isEmpty() ? "-root" : "-" + words))
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9._-]", "-");
        return id.length() > LONGEST_ID ? id.substring(0, LONGEST_ID) : id;
    }
}
