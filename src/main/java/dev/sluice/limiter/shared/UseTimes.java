package dev.sluice.limiter.shared;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * When calls took permits that the store has not heard of yet, for algorithms whose limit comes back with time. Safe
 * for any threads.
 */
public final class UseTimes {

    /**
     * Beyond this the earliest are taken together, as if they had been made at the later time: too late, never too
     * early.
     */
    private static final int MOST = 64;

    private final Deque<Calls> entries = new ArrayDeque<>();

    /**
     * Calls, and when they were admitted by the store's clock.
     *
     * @param number below zero if they were given back
     */
    public record Calls(long atMillis, long number) {}

    /** So many calls were admitted then; below zero if they were given back. */
    public synchronized void add(long calls, long nowMillis) {
        Calls last = entries.peekLast();
        if (last != null && last.atMillis >= nowMillis) {
            entries.removeLast();
            entries.addLast(new Calls(last.atMillis, last.number + calls));
            return;
        }
        entries.addLast(new Calls(nowMillis, calls));
        if (entries.size() > MOST) {
            Calls first = entries.removeFirst();
            Calls second = entries.removeFirst();
            entries.addFirst(new Calls(second.atMillis, first.number + second.number));
        }
    }

    /** Takes out what was noted. */
    public synchronized List<Calls> drain() {
        List<Calls> noted = List.copyOf(entries);
        entries.clear();
        return noted;
    }
}
