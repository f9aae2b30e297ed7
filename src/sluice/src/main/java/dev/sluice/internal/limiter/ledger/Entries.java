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
 * The entries that are not closed, including those of closed pools that still have something to report. Entries with
 * the same key report one after the other: each waits until all earlier ones have reported. Dormant counters have no
 * entry, but are listed here. Not thread-safe.
 */
final class Entries {

    /** If there are fewer dormant counters, searching for those that were opened again is not worthwhile. */
    private static final int LEAST_DORMANT = 1_000;

    /** The latest entry of each counter. */
    private final EntryTable latest = new EntryTable();
    /** The entries of closed pools by key, in order. All entries that are not the latest are here. */
    private final Map<CounterKey, Set<Entry>> closing = new LinkedHashMap<>();

    /** The numbers that are kept of dormant counters. Some of these may have been opened again. */
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

    /** A copy of all entries. Those that are not the latest of their counter come first. */
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

    /** The latest entry of the counter with this name, as it appears in news. */
    @Nullable Entry named(String name) {
        return latest.find(name);
    }

    /** The terms of a pool. All pools of one window of a family share them. */
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
     * Notes that a pool gets an entry. Once half of the dormant windows have one, the numbers that were kept of these
     * are dropped.
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

    /** Whether the window is dormant, or a call has opened it again that the background has not processed yet. */
    private static boolean isKept(DormantWindow kept) {
        Window current = kept.windows().current();
        return current == kept || (current instanceof SharedPool pool && pool.dormant() == kept);
    }

    boolean isEmpty() {
        return latest.all().isEmpty() && closing.isEmpty() && dormant.isEmpty();
    }

    /** How many entries the store has never answered. */
    int newcomers() {
        return newcomers;
    }

    /** Adds a new entry; returns the previous one of its counter, to be closed or given to {@link #addClosing}. */
    @Nullable Entry add(Entry entry) {
        newcomers += entry.account().known().isAnswered() ? 0 : 1;
        return latest.put(entry);
    }

    /** Adds a closed entry again, because it has something to report for its closed pool. */
    void addAgain(Entry entry) {
        newcomers += entry.account().known().isAnswered() ? 0 : 1;
        addClosing(entry);
        if (latest(entry.key()) == null) {
            latest.put(entry);
        }
    }

    /** Notes that the store is about to answer an entry. */
    void answering(Entry entry) {
        newcomers -= entry.account().known().isAnswered() || entry.isClosed() ? 0 : 1;
    }

    /** Adds an entry whose pool is closed. It reports before later entries with the same key. */
    void addClosing(Entry entry) {
        closing.computeIfAbsent(entry.key(), key -> new LinkedHashSet<>()).add(entry);
    }

    /** Whether no earlier entry with the same key has something to report. */
    boolean isNext(Entry entry) {
        Set<Entry> before = closing.isEmpty() ? null : closing.get(entry.key());
        return before == null || before.iterator().next() == entry;
    }

    /** Closes an entry, whether it has reported or not. */
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

    /** Closes an entry whose pool is closed and has been reported; returns whether the entry is closed. */
    boolean closeIfDone(Entry entry, Moment now) {
        if (!entry.isClosed() && entry.isDone(now)) {
            close(entry, now);
        }
        return entry.isClosed();
    }

    /**
     * Closes the entries that exceed the maximum, beginning with the least unreported use. Returns how many. Sorting
     * would be wrong, since calls may change their use meanwhile.
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
