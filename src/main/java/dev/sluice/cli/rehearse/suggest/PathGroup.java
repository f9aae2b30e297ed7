package dev.sluice.cli.rehearse.suggest;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Calls that one suggested endpoint is to match.
 *
 * @param id of the endpoint
 */
record PathGroup(String id, String method, String pattern) {

    private static final int LONGEST_ID = 56;

    /** The same with ids that differ. */
    static List<PathGroup> withIds(List<PathGroup> groups) {
        Map<String, Integer> used = new HashMap<>();
        return groups.stream()
                .map(group -> {
                    String id = group.plainId();
                    int before = used.merge(id, 1, Integer::sum);
                    return new PathGroup(before == 1 ? id : id + "-" + before, group.method, group.pattern);
                })
                .toList();
    }

    boolean onlyReads() {
        return method.equals("GET") || method.equals("OPTIONS");
    }

    String where() {
        return method + " " + pattern;
    }

    /** For example {@code get-product-id} for {@code GET /product/{id}}. */
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
