package dev.sluice.cli.top;

import dev.sluice.CounterKey;
import dev.sluice.cli.fleet.StoredUsage;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** Collects the few counters that are nearest their limits. Not thread-safe. */
final class NearestLimit {

    /** Sorts counters by how near they are to their limits. The limits include the calls that operators have given. */
    static final Comparator<StoredUsage> BY_USE = Comparator.comparingDouble((StoredUsage one) ->
                    (double) (one.used() + one.held()) / (one.tier().limit().capacity() + one.given()))
            .thenComparing(one -> one.used() + one.held())
            .thenComparing(StoredUsage::key, Comparator.reverseOrder());

    private final int most;
    private final PriorityQueue<StoredUsage> kept = new PriorityQueue<>(BY_USE);
    private final Map<CounterKey, StoredUsage> byKey = new HashMap<>();

    NearestLimit(int most) {
        this.most = most;
    }

    /** Adds a counter, unless it is unused or was already added. A scan can find the same counter twice. */
    void add(StoredUsage standing) {
        if (standing.used() + standing.held() == 0 || byKey.containsKey(standing.key())) {
            return;
        }
        kept.add(standing);
        byKey.put(standing.key(), standing);
        if (kept.size() > most) {
            StoredUsage least = kept.remove();
            byKey.remove(least.key());
        }
    }

    /** Returns the counters. Those nearest their limits come first. */
    List<StoredUsage> sorted() {
        return kept.stream().sorted(BY_USE.reversed()).toList();
    }
}
