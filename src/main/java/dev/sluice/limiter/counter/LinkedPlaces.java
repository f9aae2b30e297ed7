package dev.sluice.limiter.counter;

import org.jspecify.annotations.Nullable;

/** A list whose items can be taken out wherever they stand without a search. For one thread at a time. */
public final class LinkedPlaces<T> {

    private @Nullable Place<T> first;
    private @Nullable Place<T> last;
    private int length;

    /** Where an item stands. */
    static final class Place<T> {

        final T item;
        /** What the owner of the list notes of it. */
        public int note;

        private @Nullable LinkedPlaces<T> list;
        private @Nullable Place<T> before;
        private @Nullable Place<T> after;

        Place(T item) {
            this.item = item;
        }

        /** Takes it out of its list, if it stands in one. */
        public void leave() {
            if (list != null) {
                list.remove(this);
            }
        }
    }

    @Nullable public Place<T> first() {
        return first;
    }

    @Nullable public Place<T> last() {
        return last;
    }

    public int length() {
        return length;
    }

    /** Puts a place at the end, which stood elsewhere or nowhere. */
    public void addLast(Place<T> place) {
        enter(place);
        join(last, place);
        join(place, null);
    }

    /** Puts a place at the head, which stood elsewhere or nowhere. */
    public void addFirst(Place<T> place) {
        enter(place);
        join(place, first);
        join(null, place);
    }

    private void enter(Place<T> place) {
        place.leave();
        place.list = this;
        length++;
    }

    private void remove(Place<T> place) {
        join(place.before, place.after);
        place.list = null;
        place.before = null;
        place.after = null;
        length--;
    }

    /** Makes neighbours of these; beside {@code null} is the end of the list. */
    private void join(@Nullable Place<T> earlier, @Nullable Place<T> later) {
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
