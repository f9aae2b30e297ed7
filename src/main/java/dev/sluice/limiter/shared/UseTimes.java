package dev.sluice.limiter.shared;

import dev.sluice.Batch.Use;
import java.util.ArrayDeque;
import java.util.ArrayList;
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

    private final Deque<Entry> entries = new ArrayDeque<>();

    /** Calls of one millisecond; below zero if they were given back. */
    private record Entry(long millis, long calls) {}

    /** So many calls were admitted then; below zero if they were given back. */
    public synchronized void add(long calls, long nowMillis) {
        Entry last = entries.peekLast();
        if (last != null && last.millis >= nowMillis) {
            entries.removeLast();
            entries.addLast(new Entry(last.millis, last.calls + calls));
            return;
        }
        entries.addLast(new Entry(nowMillis, calls));
        if (entries.size() > MOST) {
            Entry first = entries.removeFirst();
            Entry second = entries.removeFirst();
            entries.addFirst(new Entry(second.millis, first.calls + second.calls));
        }
    }

    /** Takes out what was noted, as of now. */
    public synchronized List<Use> drain(long nowMillis) {
        List<Use> uses = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            uses.add(new Use(Math.max(0, nowMillis - entry.millis), entry.calls));
        }
        entries.clear();
        return uses;
    }
}
