package dev.sluice.match;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The branches of a node that are taken by segments with stars in them. They are found by their ending, or their beginning
 * where the ending is a star, so that a thousand of them cost no more than there are lengths of endings; only those that
 * begin and end with a star are tried one by one.
 *
 * @param <T> what stands for a definition and method
 */
final class GlobTable<T> {

    private final List<ByLength<T>> byEnding;
    private final List<ByLength<T>> byBeginning;
    private final List<Branch<T>> others;
    private final boolean ignoreCase;
    private final boolean isEmpty;

    GlobTable(List<Branch<T>> branches, boolean ignoreCase) {
        this.ignoreCase = ignoreCase;
        this.isEmpty = branches.isEmpty();
        List<Branch<T>> endless = new ArrayList<>(branches);
        endless.removeIf(branch -> !branch.glob.ending().isEmpty());
        others = endless.stream()
                .filter(branch -> branch.glob.beginning().isEmpty())
                .toList();
        byEnding = byLength(branches, Segment.Glob::ending, ignoreCase);
        byBeginning = byLength(endless, Segment.Glob::beginning, ignoreCase);
    }

    /**
     * A way on from a node.
     *
     * @param <T> what stands for a definition and method
     */
    record Branch<T>(Segment.Glob glob, Node<T> node) {}

    /** The branches whose beginnings, or endings, have one length. */
    private record ByLength<T>(int length, LiteralTable<List<Branch<T>>> branches) {}

    /** Those whose text is not empty, by its length and then by the text. */
    private static <T> List<ByLength<T>> byLength(
            List<Branch<T>> branches, Function<Segment.Glob, String> text, boolean ignoreCase) {
        Map<Integer, Map<String, List<Branch<T>>>> sorted = new TreeMap<>();
        for (Branch<T> branch : branches) {
            String key = text.apply(branch.glob);
            if (!key.isEmpty()) {
                sorted.computeIfAbsent(key.length(), length -> new TreeMap<>())
                        .computeIfAbsent(ignoreCase ? LiteralTable.fold(key) : key, same -> new ArrayList<>())
                        .add(branch);
            }
        }
        List<ByLength<T>> tables = new ArrayList<>();
        sorted.forEach((length, byText) -> tables.add(new ByLength<>(length, new LiteralTable<>(byText, ignoreCase))));
        return List.copyOf(tables);
    }

    /** The branches that the segment of the path between the two places takes. Where there is one at most, no list is made. */
    List<Branch<T>> find(String path, int from, int to) {
        if (isEmpty) {
            return List.of();
        }
        List<Branch<T>> found = addMatching(List.of(), others, path, from, to);
        for (ByLength<T> table : byEnding) {
            if (table.length <= to - from) {
                found = addMatching(found, table.branches.find(path, to - table.length, to), path, from, to);
            }
        }
        for (ByLength<T> table : byBeginning) {
            if (table.length <= to - from) {
                found = addMatching(found, table.branches.find(path, from, from + table.length), path, from, to);
            }
        }
        return found;
    }

    /** What was found before, and those of the candidates that the segment takes. */
    private List<Branch<T>> addMatching(
            List<Branch<T>> before, @Nullable List<Branch<T>> candidates, String path, int from, int to) {
        if (candidates == null || candidates.isEmpty()) {
            return before;
        }
        if (before.isEmpty() && candidates.size() == 1) {
            return candidates.get(0).glob.matches(path, from, to, ignoreCase) ? candidates : before;
        }
        List<Branch<T>> found = new ArrayList<>(before);
        for (Branch<T> candidate : candidates) {
            if (candidate.glob.matches(path, from, to, ignoreCase)) {
                found.add(candidate);
            }
        }
        return found;
    }
}
