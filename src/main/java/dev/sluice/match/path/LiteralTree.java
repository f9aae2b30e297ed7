package dev.sluice.match.path;

import dev.sluice.match.text.CaseFolding;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that a path can go on to by a text, each of one segment or several, of which no more than one fits. A
 * look-up asks for as few characters as tell the texts apart, and then compares with the one that is left: each
 * character of the path is read about once, and where its segments end need not be known. A node is the tree of its own
 * text. Immutable.
 *
 * @param <N> the nodes
 */
abstract sealed class LiteralTree<N extends LiteralTree<N>> permits LiteralTree.Fork, TrieNode {

    /** The node that this tree is, if its text is what the path goes on with from there, up to a slash or its end. */
    abstract @Nullable N ifNext(String path, int from);

    /** Where texts part: by the character at this place, of which the lowest bits tell them apart. */
    static final class Fork<N extends LiteralTree<N>> extends LiteralTree<N> {

        private final int place;
        private final int mask;
        private final boolean ignoreCase;
        private final @Nullable LiteralTree<N>[] ways;

        private Fork(int place, int mask, boolean ignoreCase, @Nullable LiteralTree<N>[] ways) {
            this.place = place;
            this.mask = mask;
            this.ignoreCase = ignoreCase;
            this.ways = ways;
        }

        @Override
        @Nullable N ifNext(String path, int from) {
            return find(this, path, from);
        }

        private @Nullable LiteralTree<N> way(String path, int from) {
            char c = at(path, from + place);
            return ways[(ignoreCase ? CaseFolding.of(c) : c) & mask];
        }
    }

    /**
     * Makes a tree; {@code null} of no nodes.
     *
     * @param nodes by their texts; folded, where case is ignored
     */
    static <N extends LiteralTree<N>> @Nullable LiteralTree<N> of(Map<String, N> nodes, boolean ignoreCase) {
        return nodes.isEmpty() ? null : grow(new TreeMap<>(nodes), ignoreCase);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // there is no other way to make an array of a generic type
    private static <N extends LiteralTree<N>> LiteralTree<N> grow(Map<String, N> nodes, boolean ignoreCase) {
        if (nodes.size() == 1) {
            return nodes.values().iterator().next();
        }
        int place = mostTellingPlace(nodes.keySet());
        Map<Character, Map<String, N>> parts = new TreeMap<>();
        nodes.forEach((text, node) ->
                parts.computeIfAbsent(at(text, place), c -> new TreeMap<>()).put(text, node));
        int mask = tellingBits(parts.keySet());
        @Nullable LiteralTree<N>[] ways = new @Nullable LiteralTree[mask + 1];
        parts.forEach((c, part) -> ways[c & mask] = grow(part, ignoreCase));
        return new Fork<>(place, mask, ignoreCase, ways);
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

    /**
     * The node whose text the path goes on with from there, up to a slash or its end; {@code null} if there is none.
     */
    static <N extends LiteralTree<N>> @Nullable N find(@Nullable LiteralTree<N> tree, String path, int from) {
        LiteralTree<N> at = tree;
        while (at instanceof Fork<N> fork) {
            at = fork.way(path, from);
        }
        return at == null ? null : at.ifNext(path, from);
    }
}
