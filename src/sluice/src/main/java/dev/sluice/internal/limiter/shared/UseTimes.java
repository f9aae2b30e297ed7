package dev.sluice.internal.limiter.shared;

import dev.sluice.exchange.Batch.Use;
import java.util.ArrayList;
import java.util.List;

/**
 * The times at which calls took permits that have not been reported yet. Only algorithms in which permits become
 * available over time need these times. Thread-safe.
 */
public final class UseTimes {

    /**
     * The maximum number of timestamps. If there are more, the earliest two are merged and get the later time. A use
     * can therefore be reported with too late a time, but never with too early a time.
     */
    private static final int MOST = 64;

    private final List<Calls> entries = new ArrayList<>();

    /**
     * Calls that were admitted at the same time, according to the store's clock.
     *
     * @param number the number of calls; negative if their permits were returned
     */
    public record Calls(long atMillis, long number) {

        /** Returns the representation of these calls in a statement that is made at the given time. */
        public Use asUse(long nowMillis) {
            return new Use(Math.max(0, nowMillis - atMillis), number);
        }
    }

    /**
     * Adds calls that were admitted at the given time. A negative number means that their permits were returned,
     * possibly long afterwards.
     */
    synchronized void add(long calls, long atMillis) {
        Calls last = entries.isEmpty() ? null : entries.get(entries.size() - 1);
        if (last != null && (calls < 0 ? last.atMillis == atMillis : last.atMillis >= atMillis)) {
            entries.set(entries.size() - 1, new Calls(last.atMillis, last.number + calls));
            return;
        }
        entries.add(new Calls(atMillis, calls));
        if (entries.size() > MOST) {
            mergeEarliest();
        }
    }

    /**
     * Merges the earliest two entries of the same kind. The two kinds are admitted calls and calls whose permits were
     * returned.
     */
    private void mergeEarliest() {
        int first = 0;
        while (first + 2 < entries.size()
                && Long.signum(entries.get(first).number) * Long.signum(entries.get(first + 1).number) < 0) {
            first++;
        }
        Calls earlier = entries.remove(first);
        Calls later = entries.get(first);
        entries.set(first, new Calls(later.atMillis, earlier.number + later.number));
    }

    public synchronized List<Calls> drain() {
        List<Calls> drained = List.copyOf(entries);
        entries.clear();
        return drained;
    }
}
