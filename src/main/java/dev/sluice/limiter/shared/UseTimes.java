package dev.sluice.limiter.shared;

import java.util.ArrayList;
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

    private final List<Calls> entries = new ArrayList<>();

    /**
     * Calls, and when they were admitted by the store's clock.
     *
     * @param number below zero if they were given back
     */
    public record Calls(long atMillis, long number) {}

    /** So many calls were admitted then; below zero if they were given back, which may be long after. */
    public synchronized void add(long calls, long atMillis) {
        Calls last = entries.isEmpty() ? null : entries.get(entries.size() - 1);
        if (last != null && (calls < 0 ? last.atMillis == atMillis : last.atMillis >= atMillis)) {
            entries.set(entries.size() - 1, new Calls(last.atMillis, last.number + calls));
            return;
        }
        entries.add(new Calls(atMillis, calls));
        if (entries.size() > MOST) {
            joinEarliest();
        }
    }

    /** Makes one entry of the earliest two that are both of calls admitted, or both of calls given back. */
    private void joinEarliest() {
        int first = 0;
        while (first + 2 < entries.size()
                && Long.signum(entries.get(first).number) * Long.signum(entries.get(first + 1).number) < 0) {
            first++;
        }
        Calls earlier = entries.remove(first);
        Calls later = entries.get(first);
        entries.set(first, new Calls(later.atMillis, earlier.number + later.number));
    }

    /** Takes out what was noted. */
    public synchronized List<Calls> drain() {
        List<Calls> noted = List.copyOf(entries);
        entries.clear();
        return noted;
    }
}
