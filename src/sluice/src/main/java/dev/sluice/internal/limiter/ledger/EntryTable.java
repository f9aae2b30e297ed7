package dev.sluice.internal.limiter.ledger;

import dev.sluice.CallerSubjects;
import dev.sluice.Subject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A hash table with the latest entry of each counter. Entries are found by the name that news messages use for the
 * counter. That name is the text of the counter's key. The table can contain very many entries, so entries with similar
 * hashes are chained directly to each other to save memory. Names are long, so they are created only for comparisons.
 * Callers cannot construct names with the same hash. Not thread-safe.
 */
final class EntryTable {

    private static final int LEAST_CHAINS = 16;
    private static final int SPARSE = 8;

    /** The first entry of each chain. */
    private @Nullable Entry[] chains = new Entry[LEAST_CHAINS];
    /** All entries, in an order that does not depend on hashes. Each entry stores its own index. */
    private final ArrayList<Entry> all = new ArrayList<>();

    private static int hash(String name) {
        return (int) CallerSubjects.fingerprint("", List.of(new Subject("", "", name)));
    }

    List<Entry> all() {
        return all;
    }

    boolean contains(Entry entry) {
        return entry.tableIndex >= 0;
    }

    /** Returns the entry with the given name; {@code null} if there is none. */
    @Nullable Entry find(String name) {
        int hash = hash(name);
        Entry entry = chains[hash & (chains.length - 1)];
        while (entry != null && !(entry.nameHash == hash && entry.key().text().equals(name))) {
            entry = entry.chained;
        }
        return entry;
    }

    /** Adds a new entry in place of the entry with the same name, and returns the old entry. */
    @Nullable Entry put(Entry entry) {
        String name = entry.key().text();
        Entry before = find(name);
        if (before != null) {
            remove(before);
        }
        entry.nameHash = hash(name);
        entry.tableIndex = all.size();
        all.add(entry);
        chain(entry);
        if (all.size() > chains.length) {
            spreadOver(2 * chains.length);
        }
        return before;
    }

    /** Removes an entry if it is in the table. Returns whether the entry was in the table. */
    boolean remove(Entry entry) {
        if (!contains(entry)) {
            return false;
        }
        Entry last = all.remove(all.size() - 1);
        if (last != entry) {
            all.set(entry.tableIndex, last);
            last.tableIndex = entry.tableIndex;
        }
        entry.tableIndex = -1;
        unchain(entry);
        if (all.size() < chains.length / SPARSE && chains.length > LEAST_CHAINS) {
            spreadOver(chains.length / 2);
            all.trimToSize();
        }
        return true;
    }

    private void chain(Entry entry) {
        int chain = entry.nameHash & (chains.length - 1);
        entry.chained = chains[chain];
        chains[chain] = entry;
    }

    private void unchain(Entry entry) {
        int chain = entry.nameHash & (chains.length - 1);
        Entry earlier = chains[chain];
        if (earlier == entry) {
            chains[chain] = entry.chained;
        }
        while (earlier != null && earlier != entry) {
            Entry next = earlier.chained;
            earlier.chained = next == entry ? entry.chained : next;
            earlier = next;
        }
        entry.chained = null;
    }

    private void spreadOver(int number) {
        chains = new Entry[number];
        all.forEach(this::chain);
    }
}
