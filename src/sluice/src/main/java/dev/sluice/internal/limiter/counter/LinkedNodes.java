package dev.sluice.internal.limiter.counter;

import org.jspecify.annotations.Nullable;

/**
 * A linked list that stores its links in the items. This saves memory for large numbers of items. Each item is in at
 * most one list, and can be removed without a search. Not thread-safe.
 */
public final class LinkedNodes<N extends LinkedNodes.Node<N>> {

    private @Nullable N first;
    private @Nullable N last;
    private int length;

    /** The superclass of items. */
    public abstract static class Node<N extends Node<N>> {

        private @Nullable LinkedNodes<N> list;
        private @Nullable N before;
        private @Nullable N after;
    }

    @Nullable public N first() {
        return first;
    }

    @Nullable public N last() {
        return last;
    }

    public int length() {
        return length;
    }

    /** Removes an item from its previous list, if it is in one, and appends it to this list. */
    public void addLast(N item) {
        enter(item);
        join(last, item);
        join(item, null);
    }

    /** Removes an item from its previous list, if it is in one, and prepends it to this list. */
    public void addFirst(N item) {
        enter(item);
        join(item, first);
        join(null, item);
    }

    /** Removes an item from its list, if it is in a list. */
    public static <N extends Node<N>> void leave(N item) {
        Node<N> node = item;
        if (node.list != null) {
            node.list.remove(node);
        }
    }

    private void enter(N item) {
        leave(item);
        Node<N> node = item;
        node.list = this;
        length++;
    }

    private void remove(Node<N> node) {
        join(node.before, node.after);
        node.list = null;
        node.before = null;
        node.after = null;
        length--;
    }

    /** Links two neighbours; {@code null} represents an end of the list. */
    private void join(@Nullable N earlier, @Nullable N later) {
        Node<N> before = earlier;
        Node<N> after = later;
        if (before == null) {
            first = later;
        } else {
            before.after = later;
        }
        if (after == null) {
            last = earlier;
        } else {
            after.before = earlier;
        }
    }
}
