package dev.sluice.internal.match.path;

import dev.sluice.internal.match.glob.CaseFolding;
import dev.sluice.internal.match.glob.Glob;
import dev.sluice.internal.match.glob.GlobIndex;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A node of the trie. Nodes are small and contain all data that a search needs, because a search among a thousand
 * endpoints spends most of its time fetching nodes from memory.
 *
 * @param <T> the type of the value that represents a set of endpoints
 */
final class TrieNode<T> extends LiteralTree<TrieNode<T>> {

    /** The literal text of this node; empty if the node is not a literal. */
    private final char[] text;

    /** The length of the text. It is stored separately to save a dereference. */
    final int length;
    /** The number of segments in the text. */
    final int segments;
    /** Whether the text has only one reading. */
    final boolean isPlain;

    private final boolean ignoreCase;

    /** The combined value of the endpoints whose pattern ends at this node. */
    final @Nullable T here;
    /** The combined value of the endpoints whose pattern continues only with a final {@code **}. */
    final @Nullable T anyBelow;

    /**
     * The literals that can follow this node. If a node leads only to further literals, it is merged with each of them.
     */
    final @Nullable LiteralTree<TrieNode<T>> literals;

    final @Nullable TrieNode<T> any;
    /**
     * The branches, if several of them can match the same segment. {@code null} if at most one branch can match a
     * segment. In that case, the node has no globs and no {@code **} in the middle, and does not have both literals and
     * a {@code *}.
     */
    final @Nullable Branching<T> branching;

    /**
     * The maximum number of segments that follow this node in a matching path; the largest {@code int} if there is no
     * maximum.
     */
    final int longest;

    private TrieNode(String text, Draft<T> draft, Plan plan) {
        this.text = plan.lettersOf(text);
        this.length = text.length();
        this.segments = (int) text.chars().filter(c -> c == '/').count() + 1;
        this.isPlain = PathReadings.isPlain(text, 0);
        this.ignoreCase = plan.ignoreCase;
        this.here = draft.here;
        this.anyBelow = draft.anyBelow;
        Map<String, TrieNode<T>> compiled = new LinkedHashMap<>();
        draft.forEachLiteral("", (literal, child) -> compiled.put(literal, child.compile(literal, plan)));
        this.literals = LiteralTree.of(compiled, plan.ignoreCase);
        this.any = draft.any == null ? null : draft.any.compile("", plan);
        boolean hasOneBranch =
                draft.afterDoubleStar == null && draft.globs.isEmpty() && (literals == null || any == null);
        this.branching = hasOneBranch ? null : new Branching<>(draft, plan);
        this.longest = draft.longest();
    }

    /**
     * The branches of a node, if several of them can match the same segment.
     *
     * @param <T> the type of the value that represents a set of endpoints
     */
    static final class Branching<T> {

        final List<GlobIndex<TrieNode<T>>> globs;
        /** The node for patterns that continue after a {@code **} in the middle. */
        final @Nullable TrieNode<T> afterDoubleStar;

        private Branching(Draft<T> draft, Plan plan) {
            Map<Glob, TrieNode<T>> branches = new LinkedHashMap<>();
            draft.globs.forEach((glob, child) -> branches.put(glob, child.compile("", plan)));
            this.globs = GlobIndex.of(branches, plan.ignoreCase);
            this.afterDoubleStar = draft.afterDoubleStar == null ? null : draft.afterDoubleStar.compile("", plan);
            plan.hasDoubleStar |= afterDoubleStar != null;
        }
    }

    /** Whether every path that reaches this node matches the same endpoints. */
    boolean matchesAnyRemaining() {
        return branching == null && any == null && literals == null && here == null;
    }

    @Override
    @Nullable TrieNode<T> ifNext(String path, int from) {
        return isNext(path, from) ? this : null;
    }

    /** Whether the path contains the text at index {@code from}, followed by a slash or the end of the path. */
    private boolean isNext(String path, int from) {
        int end = from + length;
        if (end > path.length() || (end < path.length() && path.charAt(end) != '/')) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            char c = path.charAt(from + i);
            if (text[i] != c && !(ignoreCase && text[i] == CaseFolding.of(c))) {
                return false;
            }
        }
        return true;
    }

    /** The state that all nodes of a trie share while it is being built. */
    static final class Plan {

        private final boolean ignoreCase;
        /** The characters of each text. All nodes with the same text share the array. */
        private final Map<String, char[]> letters = new HashMap<>();

        private boolean hasDoubleStar;

        Plan(boolean ignoreCase) {
            this.ignoreCase = ignoreCase;
        }

        private char[] lettersOf(String text) {
            return letters.computeIfAbsent(text, String::toCharArray);
        }

        /** Whether any pattern contains a {@code **} in the middle. */
        boolean hasDoubleStar() {
            return hasDoubleStar;
        }
    }

    /**
     * A node under construction.
     *
     * @param <T> the type of the value that represents a set of endpoints
     */
    static final class Draft<T> {
        private final Map<String, Draft<T>> literals = new LinkedHashMap<>();
        private final Map<Glob, Draft<T>> globs = new LinkedHashMap<>();

        @Nullable T here;

        @Nullable T anyBelow;

        private @Nullable Draft<T> any;
        private @Nullable Draft<T> afterDoubleStar;

        Draft<T> child(Segment segment, boolean ignoreCase) {
            if (segment instanceof Segment.Literal literal) {
                String text = ignoreCase ? CaseFolding.of(literal.text()) : literal.text();
                return literals.computeIfAbsent(text, key -> new Draft<>());
            }
            if (segment instanceof Segment.Starred starred) {
                return globs.computeIfAbsent(starred.glob(), key -> new Draft<>());
            }
            if (segment instanceof Segment.Any) {
                any = any == null ? new Draft<>() : any;
                return any;
            }
            afterDoubleStar = afterDoubleStar == null ? new Draft<>() : afterDoubleStar;
            return afterDoubleStar;
        }

        private void forEachLiteral(String before, BiConsumer<String, Draft<T>> consumer) {
            literals.forEach((text, child) -> {
                if (child.hasOnlyLiterals()) {
                    child.forEachLiteral(before + text + "/", consumer);
                } else {
                    consumer.accept(before + text, child);
                }
            });
        }

        private boolean hasOnlyLiterals() {
            return here == null && anyBelow == null && globs.isEmpty() && any == null && afterDoubleStar == null;
        }

        /** Returns the maximum number of segments that follow this node in a matching path. */
        private int longest() {
            if (anyBelow != null || afterDoubleStar != null) {
                return Integer.MAX_VALUE;
            }
            int longest = any == null ? 0 : below(any);
            for (Draft<T> literal : literals.values()) {
                longest = Math.max(longest, below(literal));
            }
            for (Draft<T> glob : globs.values()) {
                longest = Math.max(longest, below(glob));
            }
            return longest;
        }

        private static int below(Draft<?> child) {
            int longest = child.longest();
            return longest == Integer.MAX_VALUE ? longest : longest + 1;
        }

        TrieNode<T> compile(String text, Plan plan) {
            return new TrieNode<>(text, this, plan);
        }
    }
}
