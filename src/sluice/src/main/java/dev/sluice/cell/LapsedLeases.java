package dev.sluice.cell;

import dev.sluice.cell.CellState.Lapsed;
import dev.sluice.internal.cell.StoreProtocol;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The permits of one counter that unresponsive instances held when their leases ended. They count as used until their
 * holders report the actual usage. If an entry is dropped, its permits permanently count as used. Not thread-safe.
 */
final class LapsedLeases {

    /** The lapsed leases by instance, oldest first. */
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

    /** Removes and returns the instance's lapsed lease; {@code null} if it has none. */
    @Nullable Lapsed take(String instance) {
        return byInstance.remove(instance);
    }

    void forgetOld(long nowMillis) {
        byInstance.values().removeIf(one -> nowMillis - one.sinceMillis() >= StoreProtocol.LONGEST_LAPSED.toMillis());
    }
}
