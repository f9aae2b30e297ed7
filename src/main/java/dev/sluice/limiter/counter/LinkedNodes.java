package dev.sluice.limiter.counter;

import org.jspecify.annotations.Nullable;

/** A linked list whose items can be removed without a search. Not safe for several threads. */
public final class LinkedNodes<T> {

    private @Nullable Node<T> first;
    private @Nullable Node<T> last;
    private int length;

    /** The node of an item. */
    public static final class Node<T> {

        public final T item;
        /** A value that the owner of the list stores with the item. */
        public int note;

        private @Nullable LinkedNodes<T> list;
        private @Nullable Node<T> before;
        private @Nullable Node<T> after;

        Node(T item) {
            this.item = item;
        }

        /** Removes it from its list, if it is in one. */
        public void leave() {
            if (list != null) {
                list.remove(this);
            }
        }
    }

    @Nullable public Node<T> first() {
        return first;
    }

    @Nullable public Node<T> last() {
        return last;
    }

    public int length() {
        return length;
    }

    /** Adds a node at the end; removes it from its previous list. */
    public void addLast(Node<T> node) {
        enter(node);
        join(last, node);
        join(node, null);
    }

    /** Adds a node at the head; removes it from its previous list. */
    public void addFirst(Node<T> node) {
        enter(node);
        join(node, first);
        join(null, node);
    }

    private void enter(Node<T> node) {
        node.leave();
        node.list = this;
        length++;
    }

    private void remove(Node<T> node) {
        join(node.before, node.after);
        node.list = null;
        node.before = null;
        node.after = null;
        length--;
    }

    /** Links two neighbours; {@code null} is the end of the list. */
    private void join(@Nullable Node<T> earlier, @Nullable Node<T> later) {
        if (earlier == null) {
            first = later;
        } else {
            earlier.after = later;
        }
        if (later == null) {
            last = earlier;
        } else {
            later.before = earlier;
        }
    }
}
