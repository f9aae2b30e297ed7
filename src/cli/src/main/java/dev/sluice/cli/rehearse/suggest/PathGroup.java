package dev.sluice.cli.rehearse.suggest;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The calls that one suggested endpoint would match.
 *
 * @param id of the endpoint; empty before it has one
 */
record PathGroup(String id, String method, String pattern, long calls) {

    private static final int LONGEST_ID = 56;
    /** A call that changes something needs a limit more than one that reads. */
    private static final int WEIGHT_OF_WRITE = 10;

    /** The same groups, with an id for each that no other group has. */
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

    /** The importance of a limit for these calls. */
    long weight() {
        return calls * (onlyReads() ? 1 : WEIGHT_OF_WRITE);
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
