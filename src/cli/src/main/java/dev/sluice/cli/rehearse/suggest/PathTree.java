package dev.sluice.cli.rehearse.suggest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A tree of the segments in the called paths. Memory is bounded: if a great many different segments occur at the same
 * position, they are treated as values of a variable.
 */
final class PathTree {

    private static final int MOST_AT_TOP = 64;
    private static final int MOST_BESIDE_EACH_OTHER = 24;
    private static final int DEEPEST = 10;
    private static final int LONGEST_WORD = 40;
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9._~-]+");
    private static final Pattern NUMBER = Pattern.compile("\\d+");
    private static final Pattern HASH = Pattern.compile("(?=.*\\d)[0-9A-Fa-f]{8,}");
    /** Several joined words and numbers, such as {@code red-shoes-4711}, {@code how-to-tie-shoes} or a UUID. */
    private static final Pattern SLUG =
            Pattern.compile("(?=.*\\d)[A-Za-z0-9]+([-_][A-Za-z0-9]+){2,}|[A-Za-z0-9]+([-_][A-Za-z0-9]+){3,}");
    /** A mix of letters and digits, such as {@code a81Bc9} or {@code SKU4711}, but not {@code v1}. */
    private static final Pattern CODE = Pattern.compile("(?=.*\\d.*\\d)(?=.*[A-Za-z])[A-Za-z0-9]{5,}");

    private final Node root = new Node(MOST_AT_TOP);

    private static final class Node {

        private final int most;
        private final Map<String, Node> words = new TreeMap<>();
        private boolean isJoined;
        private @Nullable Node variable;
        private long calls;

        private Node(int most) {
            this.most = most;
        }

        private Node below(String segment) {
            if (isVariable(segment)) {
                return variable();
            }
            Node known = words.get(segment);
            if (known != null) {
                return known;
            }
            if (isJoined) {
                return variable();
            }
            Node made = new Node(MOST_BESIDE_EACH_OTHER);
            words.put(segment, made);
            // If a great many words occur at the same position, they are probably not kinds of things, but values such
            // as the names of users or products.
            return words.size() > most ? joined() : made;
        }

        private Node variable() {
            Node known = variable;
            if (known == null) {
                known = new Node(MOST_BESIDE_EACH_OTHER);
                variable = known;
            }
            return known;
        }

        /** Merges all words of this node into a single variable. From then on, they are treated as its values. */
        private Node joined() {
            isJoined = true;
            Node one = variable();
            words.values().forEach(one::add);
            words.clear();
            return one;
        }

        private void add(Node other) {
            calls += other.calls;
            other.words.forEach((word, node) -> below(word).add(node));
            if (other.variable != null) {
                variable().add(other.variable);
            }
        }
    }

    /** Adds a call to the given path. */
    void add(String path) {
        Node node = root;
        int depth = 0;
        for (int from = 1; from <= path.length() && depth < DEEPEST; depth++) {
            int end = path.indexOf('/', from);
            end = end < 0 ? path.length() : end;
            if (end > from) {
                node = node.below(path.substring(from, end));
            }
            from = end + 1;
        }
        node.calls++;
    }

    /** Returns the patterns of all paths, each with the number of matching calls. */
    Map<String, Long> patterns() {
        Map<String, Long> patterns = new TreeMap<>();
        collect(root, new ArrayList<>(), 0, patterns);
        return patterns;
    }

    private static void collect(Node node, List<String> segments, int variables, Map<String, Long> patterns) {
        if (node.calls > 0) {
            patterns.merge("/" + String.join("/", segments), node.calls, Long::sum);
        }
        node.words.forEach((word, below) -> with(word, below, segments, variables, patterns));
        if (node.variable != null) {
            String name = variables == 0 ? "{id}" : "{id" + (variables + 1) + "}";
            with(name, node.variable, segments, variables + 1, patterns);
        }
    }

    private static void with(
            String segment, Node below, List<String> segments, int variables, Map<String, Long> patterns) {
        segments.add(segment);
        collect(below, segments, variables, patterns);
        segments.remove(segments.size() - 1);
    }

    /** Whether a segment identifies one of many things, as an id does, rather than a kind of thing. */
    static boolean isVariable(String segment) {
        return !WORD.matcher(segment).matches()
                || segment.length() > LONGEST_WORD
                || NUMBER.matcher(segment).matches()
                || HASH.matcher(segment).matches()
                || SLUG.matcher(segment).matches()
                || CODE.matcher(segment).matches();
    }
}
