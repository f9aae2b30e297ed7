package dev.sluice.cell;

import dev.sluice.cell.CellState.Lapsed;
import dev.sluice.internal.cell.StoreProtocol;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What unresponsive instances held of one counter when their leases ended. It counts as used until the owner states what
 * it really used. A line that is forgotten stays used for good. Not thread-safe.
 */
final class LapsedLeases {

    /** By instance, the oldest first. */
    private final Map<String, Lapsed> byInstance = new LinkedHashMap<>();

    void restore(List<Lapsed> lapsed) {
        lapsed.forEach(one -> byInstance.put(one.instance(), one));
    }

    List<Lapsed> all() {
        return List.copyOf(byInstance.values());
    }

    void note(Lapsed lapsed) {
        byInstance.put(lapsed.instance(), lapsed);
        if (byInstance.size() > StoreProtocol.MOST_LAPSED) {
            byInstance.remove(byInstance.keySet().iterator().next());
        }
    }

    /** Removes and returns what this instance held when its lease ended; {@code null} if it did not end. */
    @Nullable Lapsed take(String instance) {
        return byInstance.remove(instance);
    }

    void forgetOld(long nowMillis) {
        byInstance.values().removeIf(one -> nowMillis - one.sinceMillis() >= StoreProtocol.LONGEST_LAPSED.toMillis());
    }
}
