package dev.sluice.match;

import java.util.ArrayList;
import java.util.HashMap;
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

    /** The literal that leads here; empty if it is something else. */
    final char[] text;

    /** That of the text, which need not be fetched for it. */
    final int length;
    /** Whether the text can be read in one way only. */
    final boolean isPlain;

    /** Definitions whose pattern ends here, by method. */
    final List<T>[] here;
    /** Definitions whose pattern goes on with a last {@code **}. */
    final List<T>[] below;

    /** Where a segment leads on to literals only, it is one with each of these. */
    final LiteralTree<T> literals;

    final @Nullable Node<T> any;
    final GlobTable<Node<T>> globs;
    /** Where patterns go on behind a {@code **} in the middle. */
    final @Nullable Node<T> beyond;
    /** Tells the nodes with something beyond them apart. */
    final int number;
    /** Whether no more than one way leads on from here, whatever the segment: none behind stars, and a literal or any segment. */
    final boolean isStraight;

    private Node(String text, Draft<T> draft, Plan plan) {
        this.text = plan.lettersOf(text);
        this.length = text.length();
        this.isPlain = PathReadings.isPlain(text, 0);
        this.here = plan.methods.lists(draft.here);
        this.below = plan.methods.lists(draft.below);
        Map<String, Node<T>> compiled = new LinkedHashMap<>();
        draft.forEachLiteral("", (literal, child) -> compiled.put(literal, child.compile(literal, plan)));
        this.literals = LiteralTree.of(compiled, plan.ignoreCase);
        this.any = draft.any == null ? null : draft.any.compile("", plan);
        Map<Segment.Glob, Node<T>> branches = new LinkedHashMap<>();
        draft.globs.forEach((glob, child) -> branches.put(glob, child.compile("", plan)));
        this.globs = new GlobTable<>(branches, plan.ignoreCase);
        this.beyond = draft.beyond == null ? null : draft.beyond.compile("", plan);
        this.number = beyond == null ? -1 : plan.nextNumber();
        this.isStraight = beyond == null && branches.isEmpty() && (compiled.isEmpty() || any == null);
    }

    /** Whether whoever comes here has matched all that there is, and nothing that ends just here. */
    boolean leadsNowhere() {
        return isStraight && any == null && literals.isEmpty() && here.length == 0;
    }

    /** What is the same for all nodes of a trie, while it is made. */
    static final class Plan {

        private final boolean ignoreCase;
        private final Methods methods;
        /** One array for each text, however many nodes it leads to. */
        private final Map<String, char[]> letters = new HashMap<>();

        private int beyonds;

        Plan(boolean ignoreCase, Methods methods) {
            this.ignoreCase = ignoreCase;
            this.methods = methods;
        }

        private char[] lettersOf(String text) {
            return letters.computeIfAbsent(text, String::toCharArray);
        }

        private int nextNumber() {
            return beyonds++;
        }

        /** How many nodes have something beyond them. */
        int beyonds() {
            return beyonds;
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
                String text = ignoreCase ? Folding.of(literal.text()) : literal.text();
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

        Node<T> compile(String text, Plan plan) {
            return new Node<>(text, this, plan);
        }
    }
}
