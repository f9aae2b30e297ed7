package dev.sluice.internal.match.path;

import dev.sluice.internal.match.glob.GlobIndex;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A trie of the endpoints for one method, organised by path segments. The duration of a search depends on the length of
 * the path, and not on the number of endpoints. Immutable. Finding a single endpoint allocates no memory.
 *
 * <p>A search finds every matching endpoint, in no particular order. It splits if several branches match a segment. A
 * {@code **} at the end of a pattern costs nothing, because a search that reaches its node has found a match. A
 * {@code **} in the middle is tried once at every later segment from which the pattern can reach the end of the path.
 * The time for this is linear in the number of segments, and small unless the pattern contains a second {@code **}.
 *
 * @param <T> the type of the value that represents a set of endpoints
 * @param both a function that combines the values of two sets of endpoints
 * @param hasDoubleStar whether any pattern contains a {@code **} in the middle
 */
record Trie<T>(TrieNode<T> root, BinaryOperator<T> both, boolean hasDoubleStar) {

    /** Whether the result of a search depends on the path. */
    boolean readsPaths() {
        return !root.matchesAnyRemaining();
    }

    /**
     * Returns the combined value of all endpoints that match the path; {@code null} if no endpoint matches. As long as
     * there is only one branch, the search follows the trie and, at the same time, checks whether the path is plain.
     * Nearly every path is therefore read only once. If the path is not plain, the search starts again with the
     * readings of the path.
     */
    @Nullable T match(String path) {
        if (!path.startsWith("/")) {
            return matchReadings(path);
        }
        T found = null;
        TrieNode<T> at = root;
        int start = 1;
        while (at.branching == null) {
            found = combined(found, at.anyBelow);
            if (start >= path.length()) {
                return combined(found, at.here);
            }
            if (at.any != null) {
                int to = PathReadings.endOfPlain(path, start);
                if (to < 0) {
                    return matchReadings(path);
                }
                at = at.any;
                start = to + 1;
            } else {
                TrieNode<T> literal = LiteralTree.find(at.literals, path, start);
                if (literal == null) {
                    return PathReadings.isPlain(path, start) ? found : matchReadings(path);
                }
                if (!literal.isPlain) {
                    return matchReadings(path);
                }
                at = literal;
                start += literal.length + 1;
            }
        }
        return PathReadings.isPlain(path, start) ? walkFrom(at, path, start, found) : matchReadings(path);
    }

    /** Returns the combined value for one reading of a path. */
    @Nullable T matchReading(String reading) {
        return walkFrom(root, reading, 1, null);
    }

    /** Whether every reading of a path matches. Nearly all paths have only one reading. */
    boolean matchesEachReading(String path) {
        if (PathReadings.isPlain(path)) {
            return match(path) != null;
        }
        for (String reading : PathReadings.of(path)) {
            if (matchReading(reading) == null) {
                return false;
            }
        }
        return true;
    }

    private @Nullable T matchReadings(String rawPath) {
        T found = null;
        for (String reading : PathReadings.of(rawPath)) {
            found = walkFrom(root, reading, 1, found);
        }
        return found;
    }

    private @Nullable T combined(@Nullable T found, @Nullable T here) {
        if (here == null) {
            return found;
        }
        return found == null ? here : both.apply(found, here);
    }

    private @Nullable T walkFrom(TrieNode<T> node, String path, int from, @Nullable T soFar) {
        SegmentStarts<T> starts = hasDoubleStar ? new SegmentStarts<>(path, from) : null;
        return walk(node, path, from, 0, starts, soFar);
    }

    private static int endOfSegment(String path, int from) {
        int slash = path.indexOf('/', from);
        return slash < 0 ? path.length() : slash;
    }

    /**
     * Continues at a node with the segment that starts at {@code from}. If {@code from} is not less than the path's
     * length, the path has ended.
     *
     * @param index the index of the segment that starts at {@code from}
     * @param starts the starts of the segments; {@code null} if no pattern contains a {@code **} in the middle
     */
    private @Nullable T walk(
            TrieNode<T> node, String path, int from, int index, @Nullable SegmentStarts<T> starts, @Nullable T soFar) {
        T found = soFar;
        TrieNode<T> at = node;
        int start = from;
        int place = index;
        while (true) {
            found = combined(found, at.anyBelow);
            TrieNode.Branching<T> branching = at.branching;
            if (branching != null && branching.afterDoubleStar != null && starts != null) {
                found = walkDoubleStar(branching.afterDoubleStar, path, place, starts, found);
            }
            if (start >= path.length()) {
                return combined(found, at.here);
            }
            int to = starts == null ? endOfSegment(path, start) : starts.endOf(place);
            if (branching != null) {
                for (GlobIndex<TrieNode<T>> globs : branching.globs) {
                    GlobIndex.Match<TrieNode<T>> match = globs.find(path, start, to);
                    while (match != null) {
                        found = walk(match.value(), path, to + 1, place + 1, starts, found);
                        match = match.next(path, start, to);
                    }
                }
            }
            TrieNode<T> literal = LiteralTree.find(at.literals, path, start);
            if (literal != null && at.any != null) {
                found = walk(at.any, path, to + 1, place + 1, starts, found);
            }
            TrieNode<T> next = literal != null ? literal : at.any;
            if (next == null) {
                return found;
            }
            at = next;
            start = literal != null ? start + literal.length + 1 : to + 1;
            place += literal != null ? literal.segments : 1;
        }
    }

    /**
     * Tries the node after a {@code **} at this segment and at every later one, unless an earlier visit has already
     * done so. The first visit always occurs at the first possible segment, because the number of segments between two
     * such nodes is fixed. Skips segments from which no pattern can reach the end of the path, because a caller can
     * send thousands of segments.
     */
    private @Nullable T walkDoubleStar(
            TrieNode<T> afterDoubleStar, String path, int from, SegmentStarts<T> starts, @Nullable T soFar) {
        if (!starts.tried.add(afterDoubleStar)) {
            return soFar;
        }
        T found = soFar;
        int segments = starts.indexes.length - 1;
        int first = Math.max(from, segments - Math.min(segments, afterDoubleStar.longest));
        for (int place = first; place <= segments; place++) {
            found = walk(afterDoubleStar, path, starts.indexes[place], place, starts, found);
        }
        return found;
    }

    /**
     * The starts of a path's segments, and the nodes after a {@code **} that have already been tried.
     *
     * @param <T> the type of the value that represents a set of endpoints
     */
    private static final class SegmentStarts<T> {

        /** The start of each segment, followed by the end of the last segment plus 1. */
        private final int[] indexes;

        private final Set<TrieNode<T>> tried = new HashSet<>();

        private SegmentStarts(String path, int from) {
            int[] found = new int[16];
            found[0] = from;
            int segments = 0;
            for (int i = from; i <= path.length(); i++) {
                if ((i == path.length() && i > found[segments]) || (i < path.length() && path.charAt(i) == '/')) {
                    segments++;
                    if (segments == found.length) {
                        found = Arrays.copyOf(found, 2 * segments);
                    }
                    found[segments] = i + 1;
                }
            }
            this.indexes = Arrays.copyOf(found, segments + 1);
        }

        private int endOf(int segment) {
            return indexes[segment + 1] - 1;
        }
    }

    /**
     * A trie under construction.
     *
     * @param <T> the type of the value that represents a set of endpoints
     */
    static final class Draft<T> {

        private final TrieNode.Draft<T> root = new TrieNode.Draft<>();
        private final boolean ignoreCase;
        private final BinaryOperator<T> both;

        Draft(boolean ignoreCase, BinaryOperator<T> both) {
            this.ignoreCase = ignoreCase;
            this.both = both;
        }

        void add(PathPattern pattern, T value) {
            List<Segment> segments = pattern.segments();
            int last = segments.size() - 1;
            boolean endsInDoubleStar = last >= 0 && segments.get(last) instanceof Segment.Remaining;
            TrieNode.Draft<T> node = root;
            for (Segment segment : endsInDoubleStar ? segments.subList(0, last) : segments) {
                node = node.child(segment, ignoreCase);
            }
            if (endsInDoubleStar) {
                node.anyBelow = node.anyBelow == null ? value : both.apply(node.anyBelow, value);
            } else {
                node.here = node.here == null ? value : both.apply(node.here, value);
            }
        }

        Trie<T> compile() {
            TrieNode.Plan plan = new TrieNode.Plan(ignoreCase);
            TrieNode<T> compiled = root.compile("", plan);
            return new Trie<>(compiled, both, plan.hasDoubleStar());
        }
    }
}
