package dev.sluice.match;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Texts that a path can go on with, each of one segment or several, of which no more than one fits. A look-up asks for as few
 * characters as tell the texts apart, and then compares with the one that is left: each character of the path is read about once,
 * and where its segments end need not be known. Immutable.
 *
 * @param <V> what a text leads to
 */
final class LiteralTree<V> {

    private final @Nullable Object top;
    private final boolean ignoreCase;

    /**
     * Makes a tree.
     *
     * @param entries by text; folded, where case is ignored
     */
    LiteralTree(Map<String, V> entries, boolean ignoreCase) {
        this.ignoreCase = ignoreCase;
        this.top = entries.isEmpty() ? null : grow(new TreeMap<>(entries));
    }

    /** One text, and what it leads to. */
    static final class Leaf<V> {

        final V value;
        /** Whether it can be read in one way only. */
        final boolean isPlain;

        final int length;
        private final char[] text;

        private Leaf(String text, V value) {
            this.value = value;
            this.isPlain = PathReadings.isPlain(text, 0);
            this.length = text.length();
            this.text = text.toCharArray();
        }
    }

    /** Where texts part: by the character at this place, of which the lowest bits tell them apart. */
    private static final class Fork {

        private final int place;
        private final int mask;
        /** Forks, and leaves. */
        private final @Nullable Object[] ways;

        Fork(int place, int mask, @Nullable Object[] ways) {
            this.place = place;
            this.mask = mask;
            this.ways = ways;
        }
    }

    private static <V> Object grow(Map<String, V> entries) {
        if (entries.size() == 1) {
            Map.Entry<String, V> only = entries.entrySet().iterator().next();
            return new Leaf<>(only.getKey(), only.getValue());
        }
        int place = mostTellingPlace(entries.keySet());
        Map<Character, Map<String, V>> parts = new TreeMap<>();
        entries.forEach((text, value) ->
                parts.computeIfAbsent(at(text, place), c -> new TreeMap<>()).put(text, value));
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

    /** The text that the path goes on with from there, up to a slash or its end; {@code null} if it is none of these. */
    @Nullable Leaf<V> find(String path, int from) {
        Object at = top;
        while (at instanceof Fork fork) {
            char c = at(path, from + fork.place);
            at = fork.ways[(ignoreCase ? LiteralTable.fold(c) : c) & fork.mask];
        }
        @SuppressWarnings("unchecked") // there are only forks and leaves
        Leaf<V> leaf = (Leaf<V>) at;
        return leaf != null && goesOnWith(leaf.text, path, from) ? leaf : null;
    }

    private boolean goesOnWith(char[] text, String path, int from) {
        int end = from + text.length;
        if (end > path.length() || (end < path.length() && path.charAt(end) != '/')) {
            return false;
        }
        for (int i = 0; i < text.length; i++) {
            char c = path.charAt(from + i);
            if (text[i] != c && !(ignoreCase && text[i] == LiteralTable.fold(c))) {
                return false;
            }
        }
        return true;
    }
}
