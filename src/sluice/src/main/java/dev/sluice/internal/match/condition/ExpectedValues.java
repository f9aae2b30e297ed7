package dev.sluice.internal.match.condition;

import dev.sluice.internal.match.caller.AddressRange;
import dev.sluice.internal.match.caller.AddressTable;
import dev.sluice.internal.match.glob.Glob;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Expects one of several values. A value is an exact text or a glob. A star in a glob matches any number of characters.
 * If the subject is an address, a value can also be a network.
 */
public final class ExpectedValues implements SubjectCondition.Expected {

    private final List<String> written;
    private final Set<String> exact;
    private final List<Glob> globs;
    /** The networks; {@code null} if there are none. */
    private final @Nullable AddressTable<AddressRange> networks;

    /** Creates the expectation from the values in the file. */
    public ExpectedValues(List<String> written) {
        this(written, false);
    }

    /**
     * Creates the expectation from the values in the file.
     *
     * @param areAddresses whether values are addresses. If so, a value can be a network, which matches all addresses in
     *     it
     */
    public ExpectedValues(List<String> written, boolean areAddresses) {
        this.written = List.copyOf(written);
        Map<AddressRange, AddressRange> found = new HashMap<>();
        Set<String> single = new HashSet<>();
        for (String text : written) {
            AddressRange network = areAddresses ? AddressRange.networkIn(text) : null;
            if (network != null) {
                found.put(network, network);
            } else if (text.indexOf('*') < 0) {
                single.add(text);
            }
        }
        this.networks = AddressTable.of(found);
        this.exact = Set.copyOf(single);
        this.globs = written.stream()
                .filter(text -> text.indexOf('*') >= 0)
                .map(Glob::parse)
                .toList();
    }

    @Override
    public boolean holds(String value) {
        if (value.isEmpty()) {
            return false;
        }
        if (exact.contains(value)) {
            return true;
        }
        for (Glob glob : globs) {
            if (glob.matches(value, 0, value.length(), false)) {
                return true;
            }
        }
        return networks != null && networks.contains(value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ExpectedValues another && new TreeSet<>(another.written).equals(new TreeSet<>(written));
    }

    @Override
    public int hashCode() {
        return Set.copyOf(written).hashCode();
    }

    /** Formats the values in the file's notation. */
    @Override
    public String toString() {
        return written.size() == 1 ? written.get(0) : "[ " + String.join(", ", written) + " ]";
    }
}
