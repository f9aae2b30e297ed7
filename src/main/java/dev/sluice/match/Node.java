package dev.sluice.match;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One place in the trie of definitions.
 *
 * @param <T> what stands for a definition and method
 */
final class Node<T> {

    /** Definitions whose pattern ends here. */
    final MethodTable<T> here;
    /** Definitions whose pattern goes on with a last {@code **}. */
    final MethodTable<T> below;

    /** Where a segment leads on to literals only, it is one with each of these. */
    final LiteralTree<Node<T>> literals;

    final @Nullable Node<T> any;
    final GlobTable<Node<T>> globs;
    /** Where patterns go on behind a {@code **} in the middle. */
    final @Nullable Node<T> beyond;
    /** Tells the nodes with something beyond them apart. */
    final int number;
    /** Whether no more than one way leads on from here, whatever the segment: none behind stars, and a literal or any segment. */
    final boolean isStraight;

    private Node(Draft<T> draft, boolean ignoreCase, MethodTable.Numbers methods, Numbering numbering) {
        this.here = MethodTable.of(draft.here, methods);
        this.below = MethodTable.of(draft.below, methods);
        Map<String, Node<T>> compiled = new LinkedHashMap<>();
        draft.forEachLiteral("", (text, child) -> compiled.put(text, child.compile(ignoreCase, methods, numbering)));
        this.literals = new LiteralTree<>(compiled, ignoreCase);
        this.any = draft.any == null ? null : draft.any.compile(ignoreCase, methods, numbering);
        Map<Segment.Glob, Node<T>> branches = new LinkedHashMap<>();
        draft.globs.forEach((glob, child) -> branches.put(glob, child.compile(ignoreCase, methods, numbering)));
        this.globs = new GlobTable<>(branches, ignoreCase);
        this.beyond = draft.beyond == null ? null : draft.beyond.compile(ignoreCase, methods, numbering);
        this.number = beyond == null ? -1 : numbering.next();
        this.isStraight = beyond == null && branches.isEmpty() && (compiled.isEmpty() || any == null);
    }

    /** Whether whoever comes here has matched all that there is, and nothing that ends just here. */
    boolean leadsNowhere() {
        return isStraight && any == null && literals.isEmpty() && here.isEmpty();
    }

    /** Counts the nodes of a trie that have something beyond them. */
    static final class Numbering {
        private int count;

        private int next() {
            return count++;
        }

        int count() {
            return count;
        }
    }

    /**
     * A node while definitions are still being added.
     *
     * @param <T> what stands for a definition and method
     */
    static final class Draft<T> {
        final List<Map<String, T>> here = new ArrayList<>();
        final List<Map<String, T>> below = new ArrayList<>();
        private final Map<String, Draft<T>> literals = new LinkedHashMap<>();
        private final Map<Segment.Glob, Draft<T>> globs = new LinkedHashMap<>();
        private @Nullable Draft<T> any;
        private @Nullable Draft<T> beyond;

        Draft<T> child(Segment segment, boolean ignoreCase) {
            if (segment instanceof Segment.Literal literal) {
                String text = ignoreCase ? LiteralTable.fold(literal.text()) : literal.text();
                return literals.computeIfAbsent(text, key -> new Draft<>());
            }
            if (segment instanceof Segment.Glob glob) {
                return globs.computeIfAbsent(glob, key -> new Draft<>());
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
            return here.isEmpty() && below.isEmpty() && globs.isEmpty() && any == null && beyond == null;
        }

        Node<T> compile(boolean ignoreCase, MethodTable.Numbers methods, Numbering numbering) {
            return new Node<>(this, ignoreCase, methods, numbering);
        }
    }
}
