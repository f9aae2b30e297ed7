package dev.sluice.limiter.counter;

import org.jspecify.annotations.Nullable;

/** A list whose items can be taken out wherever they stand without a search. For one thread at a time. */
public final class LinkedNodes<T> {

    private @Nullable Node<T> first;
    private @Nullable Node<T> last;
    private int length;

    /** Where an item stands. */
    public static final class Node<T> {

        public final T item;
        /** What the owner of the list notes of it. */
        public int note;

        private @Nullable LinkedNodes<T> list;
        private @Nullable Node<T> before;
        private @Nullable Node<T> after;

        public Node(T item) {
            this.item = item;
        }

        /** Takes it out of its list, if it stands in one. */
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

    /** Puts a node at the end, which stood elsewhere or nowhere. */
    public void addLast(Node<T> node) {
        enter(node);
        join(last, node);
        join(node, null);
    }

    /** Puts a node at the head, which stood elsewhere or nowhere. */
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

    /** Makes neighbours of these; beside {@code null} is the end of the list. */
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
