package dev.sluice.match.path;

import dev.sluice.match.text.CaseFolding;
import dev.sluice.match.text.Glob;
import dev.sluice.match.text.GlobIndex;
import dev.sluice.match.text.GlobTable;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One place in the trie of definitions. Small, and as near to what is sought as can be: among a thousand definitions
 * what takes time is to fetch it from memory.
 *
 * @param <T> what stands for a definition, or for several
 */
final class TrieNode<T> extends LiteralTree<TrieNode<T>> {

    /** The literal that leads here; empty if it is something else. */
    private final char[] text;

    /** That of the text, which need not be fetched for it. */
    final int length;
    /** How many segments the text is. */
    final int segments;
    /** Whether the text can be read in one way only. */
    final boolean isPlain;

    private final boolean ignoreCase;

    /** For definitions whose pattern ends here. */
    final @Nullable T here;
    /** For definitions whose pattern goes on with a last {@code **}. */
    final @Nullable T below;

    /** Where a segment leads on to literals only, it is one with each of these. */
    final @Nullable LiteralTree<TrieNode<T>> literals;

    final @Nullable TrieNode<T> any;
    /**
     * {@code null} where no more than one way leads on, whatever the segment: none behind stars, and a literal or any
     * segment.
     */
    final @Nullable Detours<T> detours;

    private TrieNode(String text, Draft<T> draft, Plan plan) {
        this.text = plan.lettersOf(text);
        this.length = text.length();
        this.segments = (int) text.chars().filter(c -> c == '/').count() + 1;
        this.isPlain = PathReadings.isPlain(text, 0);
        this.ignoreCase = plan.ignoreCase;
        this.here = draft.here;
        this.below = draft.below;
        Map<String, TrieNode<T>> compiled = new LinkedHashMap<>();
        draft.forEachLiteral("", (literal, child) -> compiled.put(literal, child.compile(literal, plan)));
        this.literals = LiteralTree.of(compiled, plan.ignoreCase);
        this.any = draft.any == null ? null : draft.any.compile("", plan);
        boolean isStraight = draft.beyond == null && draft.globs.isEmpty() && (literals == null || any == null);
        this.detours = isStraight ? null : new Detours<>(draft, plan);
    }

    /**
     * Where a path can go on in several ways.
     *
     * @param <T> what stands for a definition, or for several
     */
    static final class Detours<T> {

        final List<GlobIndex<TrieNode<T>>> globs;
        /** Where patterns go on behind a {@code **} in the middle. */
        final @Nullable TrieNode<T> beyond;

        private Detours(Draft<T> draft, Plan plan) {
            Map<Glob, TrieNode<T>> branches = new LinkedHashMap<>();
            draft.globs.forEach((glob, child) -> branches.put(glob, child.compile("", plan)));
            this.globs = new GlobTable<>(branches, plan.ignoreCase).bunches();
            this.beyond = draft.beyond == null ? null : draft.beyond.compile("", plan);
            plan.goesBeyond |= beyond != null;
        }
    }

    /** Whether whoever comes here has matched all that there is, and nothing that ends just here. */
    boolean leadsNowhere() {
        return detours == null && any == null && literals == null && here == null;
    }

    @Override
    @Nullable TrieNode<T> ifNext(String path, int from) {
        return isNext(path, from) ? this : null;
    }

    /** Whether the path goes on with the text from there, up to a slash or its end. */
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

    /** What is the same for all nodes of a trie, while it is made. */
    static final class Plan {

        private final boolean ignoreCase;
        /** One array for each text, however many nodes it leads to. */
        private final Map<String, char[]> letters = new HashMap<>();

        private boolean goesBeyond;

        Plan(boolean ignoreCase) {
            this.ignoreCase = ignoreCase;
        }

        private char[] lettersOf(String text) {
            return letters.computeIfAbsent(text, String::toCharArray);
        }

        /** Whether any pattern has a {@code **} in the middle. */
        boolean goesBeyond() {
            return goesBeyond;
        }
    }

    /**
     * A node while definitions are still being added.
     *
     * @param <T> what stands for a definition, or for several
     */
    static final class Draft<T> {
        private final Map<String, Draft<T>> literals = new LinkedHashMap<>();
        private final Map<Glob, Draft<T>> globs = new LinkedHashMap<>();

        @Nullable T here;

        @Nullable T below;

        private @Nullable Draft<T> any;
        private @Nullable Draft<T> beyond;

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
            beyond = beyond == null ? new Draft<>() : beyond;
            return beyond;
        }

        private void forEachLiteral(String before, BiConsumer<String, Draft<T>> consumer) {
            literals.forEach((text, child) -> {
                if (child.isPassage()) {
                    child.forEachLiteral(before + text + "/", consumer);
                } else {
                    consumer.accept(before + text, child);
                }
            });
        }

        private boolean isPassage() {
            return here == null && below == null && globs.isEmpty() && any == null && beyond == null;
        }

        TrieNode<T> compile(String text, Plan plan) {
            return new TrieNode<>(text, this, plan);
        }
    }
}
