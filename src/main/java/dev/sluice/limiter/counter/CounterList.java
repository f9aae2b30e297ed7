package dev.sluice.limiter.counter;

import org.jspecify.annotations.Nullable;

/**
 * A linked list of counters, from which one can be removed without a search: each counter is in one list at most, and holds its
 * neighbours itself, since there may be very many counters. Not safe for several threads.
 */
public final class CounterList {

    private @Nullable Counter first;
    private @Nullable Counter last;
    private int length;

    @Nullable public Counter first() {
        return first;
    }

    @Nullable public Counter last() {
        return last;
    }

    public int length() {
        return length;
    }

    /** Adds a counter at the end; removes it from its previous list. */
    public void addLast(Counter counter) {
        enter(counter);
        join(last, counter);
        join(counter, null);
    }

    /** Adds a counter at the head; removes it from its previous list. */
    public void addFirst(Counter counter) {
        enter(counter);
        join(counter, first);
        join(null, counter);
    }

    /** Removes a counter from its list, if it is in one. */
    public static void leave(Counter counter) {
        if (counter.list != null) {
            counter.list.remove(counter);
        }
    }

    private void enter(Counter counter) {
        leave(counter);
        counter.list = this;
        length++;
    }

    private void remove(Counter counter) {
        join(counter.before, counter.after);
        counter.list = null;
        counter.before = null;
        counter.after = null;
        length--;
    }

    /** Links two neighbours; {@code null} is the end of the list. */
    private void join(@Nullable Counter earlier, @Nullable Counter later) {
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
