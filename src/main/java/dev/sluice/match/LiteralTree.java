package dev.sluice.match;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that a path can go on to by a text, each of one segment or several, of which no more than one fits. A look-up asks for as
 * few characters as tell the texts apart, and then compares with the one that is left: each character of the path is read about
 * once, and where its segments end need not be known. Immutable.
 *
 * @param <T> what stands for a definition and method
 */
final class LiteralTree<T> {

    private static final LiteralTree<?> EMPTY = new LiteralTree<>(null, false);

    private final @Nullable Object top;
    private final boolean ignoreCase;

    private LiteralTree(@Nullable Object top, boolean ignoreCase) {
        this.top = top;
        this.ignoreCase = ignoreCase;
    }

    /**
     * Makes a tree.
     *
     * @param nodes by their texts; folded, where case is ignored
     */
    @SuppressWarnings("unchecked") // an empty tree holds no T
    static <T> LiteralTree<T> of(Map<String, Node<T>> nodes, boolean ignoreCase) {
        return nodes.isEmpty() ? (LiteralTree<T>) EMPTY : new LiteralTree<>(grow(new TreeMap<>(nodes)), ignoreCase);
    }

    /** Where texts part: by the character at this place, of which the lowest bits tell them apart. */
    private static final class Fork {

        private final int place;
        private final int mask;
        /** Forks, and nodes. */
        private final @Nullable Object[] ways;

        Fork(int place, int mask, @Nullable Object[] ways) {
            this.place = place;
            this.mask = mask;
            this.ways = ways;
        }
    }

    private static <T> Object grow(Map<String, Node<T>> nodes) {
        if (nodes.size() == 1) {
            return nodes.values().iterator().next();
        }
        int place = mostTellingPlace(nodes.keySet());
        Map<Character, Map<String, Node<T>>> parts = new TreeMap<>();
        nodes.forEach((text, node) ->
                parts.computeIfAbsent(at(text, place), c -> new TreeMap<>()).put(text, node));
        int mask = tellingBits(parts.keySet());
        @Nullable Object[] ways = new @Nullable Object[mask + 1];
        parts.forEach((c, part) -> ways[c & mask] = grow(part));
        return new Fork(place, mask, ways);
    }

    /** No place behind the end of any text, where a path can go on with whatever it likes. */
    private static int mostTellingPlace(Set<String> texts) {
        int shortest = texts.stream().mapToInt(String::length).min().orElse(0);
        int found = 0;
        long most = 0;
        for (int i = 0; i <= shortest; i++) {
            int place = i;
            long told = texts.stream().map(text -> at(text, place)).distinct().count();
            if (told > most) {
                most = told;
                found = place;
            }
        }
        return found;
    }

    private static int tellingBits(Set<Character> characters) {
        for (int mask = 0; ; mask = 2 * mask + 1) {
            Set<Integer> told = new HashSet<>();
            for (char c : characters) {
                told.add(c & mask);
            }
            if (told.size() == characters.size()) {
                return mask;
            }
        }
    }

    /** At its end every text has a slash, as in a path. */
    private static char at(String text, int place) {
        return place < text.length() ? text.charAt(place) : '/';
    }

    boolean isEmpty() {
        return top == null;
    }

    /** The node whose text the path goes on with from there, up to a slash or its end; {@code null} if there is none. */
    @Nullable Node<T> find(String path, int from) {
        Object at = top;
        while (at instanceof Fork fork) {
            char c = at(path, from + fork.place);
            at = fork.ways[(ignoreCase ? Folding.of(c) : c) & fork.mask];
        }
        @SuppressWarnings("unchecked") // there are only forks and nodes
        Node<T> node = (Node<T>) at;
        return node != null && goesOnWith(node.text, node.length, path, from) ? node : null;
    }

    private boolean goesOnWith(char[] text, int length, String path, int from) {
        int end = from + length;
        if (end > path.length() || (end < path.length() && path.charAt(end) != '/')) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            char c = path.charAt(from + i);
            if (text[i] != c && !(ignoreCase && text[i] == Folding.of(c))) {
                return false;
            }
        }
        return true;
    }
}
