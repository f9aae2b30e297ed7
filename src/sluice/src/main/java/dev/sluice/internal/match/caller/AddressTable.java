package dev.sluice.internal.match.caller;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the networks that an address belongs to. Of two networks, one contains the other or they are disjoint. So the
 * networks of an address are the one that begins last at or before it, or networks around that one: a binary search,
 * and then at most one step for each network around, of which there are 128 at most. With a hundred thousand networks
 * the search has 17 steps. Immutable.
 *
 * @param <T> the values of networks
 */
public final class AddressTable<T> {

    private static final int NONE = -1;

    private static final Comparator<AddressRange> ORDER = Comparator.<AddressRange>comparingLong(
                    range -> range.network().high() + Long.MIN_VALUE) // unsigned
            .thenComparingLong(range -> range.network().low() + Long.MIN_VALUE)
            .thenComparingInt(AddressRange::bits);

    /** In the order of their first addresses, wider networks first. */
    private final AddressRange[] ranges;

    private final List<T> values;
    /** For each network, the index of the next wider one around it. */
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

    /** A table of these networks; {@code null} if there are none. */
    public static <T> @Nullable AddressTable<T> of(Map<AddressRange, T> networks) {
        List<Map.Entry<AddressRange, T>> sorted = new ArrayList<>(networks.entrySet());
        sorted.sort(Map.Entry.comparingByKey(ORDER));
        return sorted.isEmpty() ? null : new AddressTable<>(sorted);
    }

    /** Whether the first network contains the second, as numbers of 128 bits. */
    private static boolean isAround(AddressRange wide, AddressRange narrow) {
        return wide.bits() <= narrow.bits()
                && narrow.network().network(wide.bits()).equals(wide.network());
    }

    /**
     * Passes the values of all networks with this address, the narrowest first.
     *
     * @param key an address, or the network that stands for its callers, as in the keys of callers
     */
    public void find(String key, Consumer<? super T> seen) {
        IpAddress address = AddressParser.parseKey(key);
        if (address != null) {
            for (int i = containing(address, lastNotBehind(address)); i != NONE; i = containing(address, around[i])) {
                seen.accept(values.get(i));
            }
        }
    }

    /** Whether any network has this address, written as for {@link #find}. */
    public boolean contains(String key) {
        IpAddress address = AddressParser.parseKey(key);
        return address != null && containing(address, lastNotBehind(address)) != NONE;
    }

    /** The index of the first network that contains an address, from this one on through those around it. */
    private int containing(IpAddress address, int from) {
        int at = from;
        while (at != NONE && !ranges[at].contains(address.high(), address.low())) {
            at = around[at];
        }
        return at;
    }

    /** The index of the last network that begins at or before an address. */
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
