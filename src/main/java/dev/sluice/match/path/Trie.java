package dev.sluice.match.path;

import dev.sluice.match.text.GlobIndex;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The definitions that speak of one method, by the segments of their paths: the time to find those that match grows
 * with the path's length, not with the number of definitions. Immutable; finding a single definition allocates nothing.
 *
 * <p>Every definition that matches is found, in no particular order. A walk splits where several branches fit a
 * segment. A {@code **} at a pattern's end costs nothing: whoever comes by its node has matched. A {@code **} in the
 * middle tries every place further down the path, each once: what that takes grows with the number of segments, however
 * long they are.
 *
 * @param <T> what stands for a definition, or for several
 */
final class Trie<T> {

    private final TrieNode<T> root;
    private final BinaryOperator<T> both;
    /** Whether any pattern has a {@code **} in the middle. */
    private final boolean goesBeyond;

    private Trie(TrieNode<T> root, BinaryOperator<T> both, boolean goesBeyond) {
        this.root = root;
        this.both = both;
        this.goesBeyond = goesBeyond;
    }

    /** Whether it matters what the path is. */
    boolean readsPaths() {
        return !root.leadsNowhere();
    }

    /**
     * What stands for the definitions that speak of the path; {@code null} if none does. Walks down as far as one way
     * leads on, and sees while it looks for the next slash whether the path is plain, so that nearly every path is read
     * once only. If it is not, whatever was found is forgotten.
     */
    @Nullable T match(String path) {
        if (!path.startsWith("/")) {
            return matchReadings(path);
        }
        T found = null;
        TrieNode<T> at = root;
        int start = 1;
        while (at.detours == null) {
            found = with(found, at.below);
            if (start >= path.length()) {
                return with(found, at.here);
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

    private @Nullable T matchReadings(String rawPath) {
        T found = null;
        for (String reading : PathReadings.of(rawPath)) {
            found = walkFrom(root, reading, 1, found);
        }
        return found;
    }

    private @Nullable T with(@Nullable T found, @Nullable T here) {
        if (here == null) {
            return found;
        }
        return found == null ? here : both.apply(found, here);
    }

    private @Nullable T walkFrom(TrieNode<T> node, String path, int from, @Nullable T soFar) {
        Places<T> places = goesBeyond ? new Places<>(path, from) : null;
        return walk(node, path, from, 0, places, soFar);
    }

    private static int endOfSegment(String path, int from) {
        int slash = path.indexOf('/', from);
        return slash < 0 ? path.length() : slash;
    }

    /**
     * Continues at a node with the segment that begins at {@code from}; a path has ended when {@code from} is its
     * length or beyond.
     *
     * @param index which of the places begins at {@code from}
     * @param places {@code null} where no pattern goes beyond
     */
    private @Nullable T walk(
            TrieNode<T> node, String path, int from, int index, @Nullable Places<T> places, @Nullable T soFar) {
        T found = soFar;
        TrieNode<T> at = node;
        int start = from;
        int place = index;
        while (true) {
            found = with(found, at.below);
            TrieNode.Detours<T> detours = at.detours;
            if (detours != null && detours.beyond != null && places != null) {
                found = walkBeyond(detours.beyond, path, place, places, found);
            }
            if (start >= path.length()) {
                return with(found, at.here);
            }
            int to = places == null ? endOfSegment(path, start) : places.endOf(place);
            if (detours != null) {
                for (GlobIndex<TrieNode<T>> bunch : detours.globs) {
                    GlobIndex.Way<TrieNode<T>> way = bunch.find(path, start, to);
                    while (way != null) {
                        found = walk(way.value(), path, to + 1, place + 1, places, found);
                        way = way.next(path, start, to);
                    }
                }
            }
            TrieNode<T> literal = LiteralTree.find(at.literals, path, start);
            if (literal != null && at.any != null) {
                found = walk(at.any, path, to + 1, place + 1, places, found);
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
     * Tries the node behind a {@code **} at this and every later place, unless that has been done. Between two of them
     * lie always as many segments, so the first time that it is come to is at the first of its places.
     */
    private @Nullable T walkBeyond(TrieNode<T> beyond, String path, int from, Places<T> places, @Nullable T soFar) {
        if (!places.tried.add(beyond)) {
            return soFar;
        }
        T found = soFar;
        for (int place = from; place < places.starts.length; place++) {
            found = walk(beyond, path, places.starts[place], place, places, found);
        }
        return found;
    }

    /**
     * Where the segments of a path begin, and which nodes behind a {@code **} have been tried there.
     *
     * @param <T> what stands for a definition, or for several
     */
    private static final class Places<T> {

        /** Of each segment, and behind the last. */
        private final int[] starts;

        private final Set<TrieNode<T>> tried = new HashSet<>();

        private Places(String path, int from) {
            int segments = 0;
            for (int at = from; at < path.length(); at = endOfSegment(path, at) + 1) {
                segments++;
            }
            this.starts = new int[segments + 1];
            starts[0] = from;
            for (int i = 0; i < segments; i++) {
                starts[i + 1] = endOfSegment(path, starts[i]) + 1;
            }
        }

        private int endOf(int segment) {
            return starts[segment + 1] - 1;
        }
    }

    /**
     * A trie while definitions are still being added.
     *
     * @param <T> what stands for a definition, or for several
     */
    static final class Draft<T> {

        private final TrieNode.Draft<T> root = new TrieNode.Draft<>();
        private final boolean ignoreCase;
        private final BinaryOperator<T> both;

        Draft(boolean ignoreCase, BinaryOperator<T> both) {
            this.ignoreCase = ignoreCase;
            this.both = both;
        }

        void add(PathPattern pattern, T standIn) {
            List<Segment> segments = pattern.segments();
            int last = segments.size() - 1;
            boolean isOpen = last >= 0 && segments.get(last) instanceof Segment.Rest;
            TrieNode.Draft<T> node = root;
            for (Segment segment : isOpen ? segments.subList(0, last) : segments) {
                node = node.child(segment, ignoreCase);
            }
            if (isOpen) {
                node.below = node.below == null ? standIn : both.apply(node.below, standIn);
            } else {
                node.here = node.here == null ? standIn : both.apply(node.here, standIn);
            }
        }

        Trie<T> compile() {
            TrieNode.Plan plan = new TrieNode.Plan(ignoreCase);
            TrieNode<T> compiled = root.compile("", plan);
            return new Trie<>(compiled, both, plan.goesBeyond());
        }
    }
}
