package dev.sluice.match;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All enabled definitions, compiled into a trie over path segments: the time to find those that match grows with the
 * path's length, not with the number of definitions. Immutable; finding a single definition allocates nothing.
 *
 * <p>Every definition that matches is found, in no particular order. A walk splits where several branches fit a segment.
 * A {@code **} at a pattern's end costs nothing: whoever comes by its node has matched. A {@code **} in the middle tries
 * every place further down the path, and a set of the places already tried keeps that linear in the path.
 *
 * @param <T> what stands for a definition and method
 */
public final class EndpointTable<T> {

    private final Node<T> root;
    private final Methods methods;
    /** How many nodes have something beyond them. */
    private final int beyonds;

    private final boolean readsPaths;

    private EndpointTable(Node<T> root, Methods methods, int beyonds) {
        this.root = root;
        this.methods = methods;
        this.beyonds = beyonds;
        this.readsPaths = !root.leadsNowhere();
    }

    /** Whether it matters what a call's path is; if not, any will do, and the call need not be asked for it. */
    public boolean readsPaths() {
        return readsPaths;
    }

    /** What stands for the definitions that speak of this method and path, each once. */
    public List<T> match(String method, String rawPath) {
        int number = methods.numberOf(method);
        List<T> onlyReading = matchAsSent(number, rawPath);
        return onlyReading != null ? onlyReading : matchReadings(number, rawPath);
    }

    /**
     * Walks down as far as one way leads on, and sees while it looks for the next slash whether the path is plain, so that nearly
     * every path is read once only. Whatever was found is forgotten if it is not: {@code null}.
     */
    private @Nullable List<T> matchAsSent(int method, String path) {
        if (!path.startsWith("/")) {
            return null;
        }
        List<T> found = List.of();
        Node<T> at = root;
        int start = 1;
        while (at.isStraight) {
            found = Methods.addTo(found, at.below, method);
            if (start >= path.length()) {
                return Methods.addTo(found, at.here, method);
            }
            if (at.any != null) {
                int to = PathReadings.endOfPlain(path, start);
                if (to < 0) {
                    return null;
                }
                at = at.any;
                start = to + 1;
            } else {
                Node<T> literal = at.literals.find(path, start);
                if (literal == null) {
                    return PathReadings.isPlain(path, start) ? found : null;
                }
                if (!literal.isPlain) {
                    return null;
                }
                at = literal;
                start += literal.length + 1;
            }
        }
        return PathReadings.isPlain(path, start) ? walk(at, method, path, start, tried(), found) : null;
    }

    private List<T> matchReadings(int method, String rawPath) {
        List<T> found = List.of();
        for (String reading : PathReadings.of(rawPath)) {
            found = walk(root, method, reading, 1, tried(), found);
        }
        return found;
    }

    private @Nullable BitSet tried() {
        return beyonds == 0 ? null : new BitSet();
    }

    /** Continues at a node with the segment that begins at {@code from}; a path has ended when {@code from} is its length or beyond. */
    private List<T> walk(Node<T> node, int method, String path, int from, @Nullable BitSet tried, List<T> soFar) {
        List<T> found = soFar;
        Node<T> at = node;
        int start = from;
        while (true) {
            found = Methods.addTo(found, at.below, method);
            if (at.beyond != null && tried != null) {
                found = walkBeyond(at.beyond, at.number, method, path, start, tried, found);
            }
            if (start >= path.length()) {
                return Methods.addTo(found, at.here, method);
            }
            int slash = path.indexOf('/', start);
            int to = slash < 0 ? path.length() : slash;
            for (GlobBunch<Node<T>> bunch : at.globs.bunches) {
                GlobBunch.Way<Node<T>> way = bunch.find(path, start, to);
                while (way != null) {
                    found = walk(way.value, method, path, to + 1, tried, found);
                    way = way.next(path, start, to);
                }
            }
            Node<T> literal = at.literals.find(path, start);
            if (literal != null && at.any != null) {
                found = walk(at.any, method, path, to + 1, tried, found);
            }
            Node<T> next = literal != null ? literal : at.any;
            if (next == null) {
                return found;
            }
            at = next;
            start = literal != null ? start + literal.length + 1 : to + 1;
        }
    }

    /** Tries the node behind a {@code **} at this and every later segment that has not been tried yet. */
    private List<T> walkBeyond(
            Node<T> beyond, int number, int method, String path, int from, BitSet tried, List<T> soFar) {
        List<T> found = soFar;
        int at = from;
        while (!tried.get(at * beyonds + number)) {
            tried.set(at * beyonds + number);
            found = walk(beyond, method, path, at, tried, found);
            if (at >= path.length()) {
                break;
            }
            int slash = path.indexOf('/', at);
            at = slash < 0 ? path.length() : slash + 1;
        }
        return found;
    }

    /**
     * Collects definitions for a table.
     *
     * @param <T> what stands for a definition and method
     */
    public static final class Builder<T> {

        private final Node.Draft<T> root = new Node.Draft<>();
        private final Methods methods = new Methods();
        private final boolean ignoreCase;

        public Builder(boolean caseSensitive) {
            this.ignoreCase = !caseSensitive;
        }

        /**
         * Adds a definition.
         *
         * @param methods those it speaks of, empty for all
         * @param standIn what stands for it under a method, {@code *} for all methods; asked once for each
         */
        public Builder<T> add(PathPattern pattern, Set<String> methods, Function<String, T> standIn) {
            Node.Draft<T> node = root;
            List<Segment> segments = pattern.segments();
            for (int i = 0; i < segments.size(); i++) {
                if (segments.get(i) instanceof Segment.Rest && i == segments.size() - 1) {
                    node.below.add(numbered(standIns(methods, standIn)));
                    return this;
                }
                node = node.child(segments.get(i), ignoreCase);
            }
            node.here.add(numbered(standIns(methods, standIn)));
            return this;
        }

        private Map<String, T> numbered(Map<String, T> standIns) {
            standIns.keySet().forEach(methods::add);
            return standIns;
        }

        /** Every method that a definition names, and what stands for it; whoever counts GET counts HEAD with it. */
        private static <T> Map<String, T> standIns(Set<String> methods, Function<String, T> standIn) {
            if (methods.isEmpty()) {
                return Map.of(Methods.ALL, standIn.apply(Methods.ALL));
            }
            Map<String, T> byMethod = new HashMap<>();
            for (String method : methods) {
                byMethod.put(method, standIn.apply(method));
            }
            T get = byMethod.get("GET");
            if (get != null) {
                byMethod.putIfAbsent("HEAD", get);
            }
            return byMethod;
        }

        public EndpointTable<T> build() {
            Node.Plan plan = new Node.Plan(ignoreCase, methods);
            Node<T> compiled = root.compile("", plan);
            return new EndpointTable<>(compiled, methods, plan.beyonds());
        }
    }
}
