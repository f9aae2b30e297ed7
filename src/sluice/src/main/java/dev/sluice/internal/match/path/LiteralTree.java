package dev.sluice.internal.match.path;

import dev.sluice.internal.match.glob.CaseFolding;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A decision tree of literal texts. At most one text can match. Each text consists of one or more segments. A search
 * first inspects only as many characters as it needs to distinguish the texts, and then compares the single remaining
 * text. It therefore reads each character of the path about once, and does not need to find the ends of segments. A
 * leaf is the trie node of its text. Immutable.
 *
 * @param <N> the type of the nodes
 */
abstract sealed class LiteralTree<N extends LiteralTree<N>> permits LiteralTree.Fork, TrieNode {

    /**
     * Follows the path from index {@code from} to a leaf. Returns the leaf's node if the path contains the leaf's text
     * at that index, followed by a slash or the end of the path. Otherwise returns {@code null}.
     */
    abstract @Nullable N ifNext(String path, int from);

    /** A fork. The lowest bits of the character at one index select the branch. */
    static final class Fork<N extends LiteralTree<N>> extends LiteralTree<N> {

        private final int index;
        private final int mask;
        private final boolean ignoreCase;
        private final @Nullable LiteralTree<N>[] branches;

        private Fork(int index, int mask, boolean ignoreCase, @Nullable LiteralTree<N>[] branches) {
            this.index = index;
            this.mask = mask;
            this.ignoreCase = ignoreCase;
            this.branches = branches;
        }

        @Override
        @Nullable N ifNext(String path, int from) {
            return find(this, path, from);
        }

        private @Nullable LiteralTree<N> branch(String path, int from) {
            char c = at(path, from + index);
            return branches[(ignoreCase ? CaseFolding.of(c) : c) & mask];
        }
    }

    /**
     * Creates a tree. Returns {@code null} if there are no nodes.
     *
     * @param nodes the nodes by text. The texts are case-folded if case is ignored
     */
    static <N extends LiteralTree<N>> @Nullable LiteralTree<N> of(Map<String, N> nodes, boolean ignoreCase) {
        return nodes.isEmpty() ? null : grow(new TreeMap<>(nodes), ignoreCase);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no other way to create a generic array
    private static <N extends LiteralTree<N>> LiteralTree<N> grow(Map<String, N> nodes, boolean ignoreCase) {
        if (nodes.size() == 1) {
            return nodes.values().iterator().next();
        }
        int index = mostDistinctIndex(nodes.keySet());
        Map<Character, Map<String, N>> parts = new TreeMap<>();
        nodes.forEach((text, node) ->
                parts.computeIfAbsent(at(text, index), c -> new TreeMap<>()).put(text, node));
        int mask = distinguishingBits(parts.keySet());
        @Nullable LiteralTree<N>[] branches = new @Nullable LiteralTree[mask + 1];
        parts.forEach((c, part) -> branches[c & mask] = grow(part, ignoreCase));
        return new Fork<>(index, mask, ignoreCase, branches);
    }

    /**
     * Returns the index at which the texts have the most distinct characters. The index is never beyond the end of a
     * text, because the path can continue there with any character.
     */
    private static int mostDistinctIndex(Set<String> texts) {
        int shortest = Integer.MAX_VALUE;
        for (String text : texts) {
            shortest = Math.min(shortest, text.length());
        }
        int found = 0;
        int most = 0;
        for (int index = 0; index <= shortest; index++) {
            Set<Character> distinct = new HashSet<>();
            for (String text : texts) {
                distinct.add(at(text, index));
            }
            if (distinct.size() > most) {
                most = distinct.size();
                found = index;
            }
        }
        return found;
    }

    private static int distinguishingBits(Set<Character> characters) {
        for (int mask = 0; ; mask = 2 * mask + 1) {
            Set<Integer> distinct = new HashSet<>();
            for (char c : characters) {
                distinct.add(c & mask);
            }
            if (distinct.size() == characters.size()) {
                return mask;
            }
        }
    }

    /** Returns the character at an index. After the end of the text, returns a slash, as in a path. */
    private static char at(String text, int index) {
        return index < text.length() ? text.charAt(index) : '/';
    }

    /**
     * Finds the node whose text begins at index {@code from} of the path and is followed by a slash or the end of the
     * path. Returns {@code null} if there is none.
     */
    static <N extends LiteralTree<N>> @Nullable N find(@Nullable LiteralTree<N> tree, String path, int from) {
        LiteralTree<N> at = tree;
        while (at instanceof Fork<N> fork) {
            at = fork.branch(path, from);
        }
        return at == null ? null : at.ifNext(path, from);
    }
}
