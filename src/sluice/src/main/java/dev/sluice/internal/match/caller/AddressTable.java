package dev.sluice.internal.match.caller;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the networks that contain an address. Any two networks are either disjoint, or one of them contains the other.
 * Therefore, the only candidates are the last network that begins at or before the address, and the networks that
 * contain that network. A binary search finds the last network. It takes 17 steps if there are 100,000 networks. Then
 * the search takes one step for each network that contains the last network. There are at most 128 such networks.
 * Immutable.
 *
 * @param <T> the type of the values that are stored for networks
 */
public final class AddressTable<T> {

    private static final int NONE = -1;

    private static final Comparator<AddressRange> ORDER = Comparator.<AddressRange>comparingLong(
                    range -> range.network().high() + Long.MIN_VALUE) // unsigned
            .thenComparingLong(range -> range.network().low() + Long.MIN_VALUE)
            .thenComparingInt(AddressRange::bits);

    /** The networks sorted by their first address, with wider networks before narrower ones. */
    private final AddressRange[] ranges;

    private final List<T> values;
    /** For each network, the index of the narrowest other network that contains it. */
    private final int[] around;

    private AddressTable(List<Map.Entry<AddressRange, T>> sorted) {
        this.ranges = sorted.stream().map(Map.Entry::getKey).toArray(AddressRange[]::new);
        this.values = sorted.stream().map(Map.Entry::getValue).toList();
        this.around = new int[ranges.length];
        for (int i = 0; i < ranges.length; i++) {
            int wider = i - 1;
            while (wider != NONE && !isAround(ranges[wider], ranges[i])) {
                wider = around[wider];
            }
            around[i] = wider;
        }
    }

    /** Creates a table of these networks. Returns {@code null} if there are none. */
    public static <T> @Nullable AddressTable<T> of(Map<AddressRange, T> networks) {
        List<Map.Entry<AddressRange, T>> sorted = new ArrayList<>(networks.entrySet());
        sorted.sort(Map.Entry.comparingByKey(ORDER));
        return sorted.isEmpty() ? null : new AddressTable<>(sorted);
    }

    /** Whether the first network contains the second. Compares both as 128-bit numbers. */
    private static boolean isAround(AddressRange wide, AddressRange narrow) {
        return wide.bits() <= narrow.bits()
                && narrow.network().network(wide.bits()).equals(wide.network());
    }

    /**
     * Passes the values of all networks that contain this address to the consumer, starting with the narrowest network.
     *
     * @param key a caller's key, which is an address or a network
     */
    public void find(String key, Consumer<? super T> seen) {
        IpAddress address = AddressParser.parseKey(key);
        if (address != null) {
            for (int i = containing(address, lastNotBehind(address)); i != NONE; i = containing(address, around[i])) {
                seen.accept(values.get(i));
            }
        }
    }

    /** Whether any network contains this address. As for {@link #find}, the key is an address or a network. */
    public boolean contains(String key) {
        IpAddress address = AddressParser.parseKey(key);
        return address != null && containing(address, lastNotBehind(address)) != NONE;
    }

    /**
     * Returns the index of the first network that contains an address. Searches from the given network outwards through
     * the networks that contain it.
     */
    private int containing(IpAddress address, int from) {
        int at = from;
        while (at != NONE && !ranges[at].contains(address.high(), address.low())) {
            at = around[at];
        }
        return at;
    }

    /** Returns the index of the last network that begins at or before an address. */
    private int lastNotBehind(IpAddress address) {
        int from = 0;
        int to = ranges.length;
        while (from < to) {
            int middle = (from + to) >>> 1;
            IpAddress first = ranges[middle].network();
            int compared = Long.compareUnsigned(first.high(), address.high());
            if (compared < 0 || (compared == 0 && Long.compareUnsigned(first.low(), address.low()) <= 0)) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from - 1;
    }
}
