package dev.sluice.limiter;

import org.jspecify.annotations.Nullable;

/** Counters in a row, each of which can be taken out wherever it stands without a search. For one thread at a time. */
final class LinkedCounters {

    private @Nullable Place first;
    private @Nullable Place last;
    private int length;

    /** Where a counter stands. */
    static final class Place {

        final Counter counter;
        private @Nullable LinkedCounters line;
        private @Nullable Place before;
        private @Nullable Place after;
        /** When the counter was used last, as far as was known when it was put here. */
        private int usedAt;

        Place(Counter counter) {
            this.counter = counter;
        }

        /** Whether the counter was used since it was put here. */
        boolean isUsedSince() {
            return counter.lastUse() != usedAt;
        }

        /** Takes it out of its line, if it stands in one. */
        void leave() {
            if (line != null) {
                line.remove(this);
            }
        }
    }

    @Nullable Place first() {
        return first;
    }

    @Nullable Place last() {
        return last;
    }

    int length() {
        return length;
    }

    /** Puts a place at the end, which stood elsewhere or nowhere. */
    void addLast(Place place) {
        enter(place);
        place.before = last;
        if (last == null) {
            first = place;
        } else {
            last.after = place;
        }
        last = place;
    }

    /** Puts a place at the head, which stood elsewhere or nowhere. */
    void addFirst(Place place) {
        enter(place);
        place.after = first;
        if (first == null) {
            last = place;
        } else {
            first.before = place;
        }
        first = place;
    }

    private void enter(Place place) {
        place.leave();
        place.line = this;
        place.usedAt = place.counter.lastUse();
        length++;
    }

    private void remove(Place place) {
        Place earlier = place.before;
        Place later = place.after;
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
        place.line = null;
        place.before = null;
        place.after = null;
        length--;
    }
}
