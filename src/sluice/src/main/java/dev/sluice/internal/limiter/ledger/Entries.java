package dev.sluice.internal.limiter.ledger;

import dev.sluice.CounterKey;
import dev.sluice.internal.limiter.account.Event;
import dev.sluice.internal.limiter.account.Moment;
import dev.sluice.internal.limiter.account.Terms;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.Window;
import dev.sluice.internal.limiter.shared.DormantWindow;
import dev.sluice.internal.limiter.shared.SharedPool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All entries that are not closed. If a pool is closed but still has something to report, its entry is not closed yet.
 * Entries with the same key report one after another, so each waits until all earlier ones have reported. Dormant
 * counters have no entry but are also listed in this object. Not thread-safe.
 */
final class Entries {

    /**
     * The minimum number of dormant counters at which the list is searched for counters that were opened again. For a
     * shorter list, the search is not worthwhile.
     */
    private static final int LEAST_DORMANT = 1_000;

    /** The latest entry of each counter. */
    private final EntryTable latest = new EntryTable();
    /**
     * The entries of closed pools, keyed by counter key and in the order in which they report. They include all entries
     * that are not the latest of their counter.
     */
    private final Map<CounterKey, Set<Entry>> closing = new LinkedHashMap<>();

    /** The numbers stored for dormant counters. Some of these counters might have been opened again. */
    private final ArrayList<DormantWindow> dormant = new ArrayList<>();

    /** The terms of each family's latest window. */
    private final Map<CounterFamily, Terms> terms = new WeakHashMap<>();

    private final Dispatcher dispatcher;
    private int mostDormant = LEAST_DORMANT;
    private int openedAgain;
    private int newcomers;

    Entries(Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    /** Returns a copy of all entries. Entries that are not the latest of their counter come first. */
    List<Entry> all() {
        List<Entry> all = new ArrayList<>(latest.all().size());
        for (Set<Entry> order : closing.values()) {
            order.stream().filter(entry -> !latest.contains(entry)).forEach(all::add);
        }
        all.addAll(latest.all());
        return all;
    }

    @Nullable Entry latest(CounterKey key) {
        return latest.find(key.text());
    }

    /** Returns the latest entry of the counter with the given name. News messages contain the names of counters. */
    @Nullable Entry named(String name) {
        return latest.find(name);
    }

    /** Returns the terms of a pool. All pools of one family share them within a window. */
    Terms terms(SharedPool pool) {
        Terms known = terms.get(pool.counter.family);
        if (known == null || known.startMillis() != pool.start()) {
            known = Terms.of(pool, pool.limit());
            terms.put(pool.counter.family, known);
        }
        return known;
    }

    void addDormant(DormantWindow kept) {
        if (dormant.size() >= mostDormant) {
            forgetOpenedAgain();
            mostDormant = Math.max(LEAST_DORMANT, dormant.size() / 2 * 3);
        }
        dormant.add(kept);
    }

    List<DormantWindow> dormant() {
        forgetOpenedAgain();
        return dormant;
    }

    /**
     * Records that a pool is about to get an entry. Once more than half of the listed dormant windows have an entry,
     * the stored numbers of these windows are dropped.
     */
    void opensAgain(SharedPool pool) {
        openedAgain += pool.dormant() == null ? 0 : 1;
        if (openedAgain > LEAST_DORMANT && openedAgain > dormant.size() / 2) {
            forgetOpenedAgain();
        }
    }

    private void forgetOpenedAgain() {
        dormant.removeIf(kept -> !isKept(kept));
        dormant.trimToSize();
        openedAgain = 0;
    }

    /**
     * Whether the window is still dormant, or a call has opened it again but the background thread has not processed
     * this call yet.
     */
    private static boolean isKept(DormantWindow kept) {
        Window current = kept.windows().current();
        return current == kept || (current instanceof SharedPool pool && pool.dormant() == kept);
    }

    boolean isEmpty() {
        return latest.all().isEmpty() && closing.isEmpty() && dormant.isEmpty();
    }

    /** Returns the number of entries for which the store has never answered. */
    int newcomers() {
        return newcomers;
    }

    /**
     * Adds a new entry. Returns the counter's previous entry. The caller has to close it or pass it to {@link
     * #addClosing}.
     */
    @Nullable Entry add(Entry entry) {
        newcomers += entry.account().known().isAnswered() ? 0 : 1;
        return latest.put(entry);
    }

    /** Adds a reopened entry, because it still has something to report for its closed pool. */
    void addAgain(Entry entry) {
        newcomers += entry.account().known().isAnswered() ? 0 : 1;
        addClosing(entry);
        if (latest(entry.key()) == null) {
            latest.put(entry);
        }
    }

    /** Records that the store's answer for an entry is about to be applied. */
    void answering(Entry entry) {
        newcomers -= entry.account().known().isAnswered() || entry.isClosed() ? 0 : 1;
    }

    /** Adds an entry whose pool is closed. It reports before later entries with the same key. */
    void addClosing(Entry entry) {
        closing.computeIfAbsent(entry.key(), key -> new LinkedHashSet<>()).add(entry);
    }

    /** Whether it is the given entry's turn to report, because all earlier entries with the same key have reported. */
    boolean isNext(Entry entry) {
        Set<Entry> before = closing.isEmpty() ? null : closing.get(entry.key());
        return before == null || before.iterator().next() == entry;
    }

    /** Closes an entry, whether or not it has reported. */
    void close(Entry entry, Moment now) {
        newcomers -= entry.account().known().isAnswered() ? 0 : 1;
        dispatcher.on(entry, new Event.Close(), now);
        latest.remove(entry);
        Set<Entry> order = closing.isEmpty() ? null : closing.get(entry.key());
        if (order != null) {
            order.remove(entry);
            if (order.isEmpty()) {
                closing.remove(entry.key());
            }
        }
    }

    /** Closes an entry if its pool is closed and everything is reported. Returns whether the entry is closed. */
    boolean closeIfDone(Entry entry, Moment now) {
        if (!entry.isClosed() && entry.isDone(now)) {
            close(entry, now);
        }
        return entry.isClosed();
    }

    /**
     * Closes entries until at most the maximum number remain, starting with those with the least unreported use.
     * Returns how many entries were closed. The entries cannot be sorted by use, because calls might change their use
     * during the sort.
     */
    int writeOff(List<Entry> indebted, int most, Moment now) {
        int tooMany = indebted.size() - most;
        int writtenOff = 0;
        for (long small = 1; writtenOff < tooMany; small *= 2) {
            for (Entry entry : indebted) {
                if (writtenOff < tooMany && !entry.isClosed() && debt(entry) <= small) {
                    close(entry, now);
                    writtenOff++;
                }
            }
        }
        return writtenOff;
    }

    private static long debt(Entry entry) {
        return entry.pool.used() - entry.account().books().reported();
    }
}
