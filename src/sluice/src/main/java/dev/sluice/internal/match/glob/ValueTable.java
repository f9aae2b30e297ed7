package dev.sluice.internal.match.glob;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Finds the entries for a subject's value. A hash table finds exact values, and a {@link GlobIndex} finds globs.
 * Immutable.
 *
 * @param <T> the type of the entries
 */
public final class ValueTable<T> {

    private final Map<String, T> exact = new HashMap<>();
    private final List<GlobIndex<T>> globs;

    /** Creates a table of values from the file. */
    public ValueTable(Map<String, T> values) {
        Map<Glob, T> starred = new LinkedHashMap<>();
        values.forEach((text, found) -> {
            if (text.indexOf('*') < 0) {
                exact.put(text, found);
            } else {
                starred.put(Glob.parse(text), found);
            }
        });
        globs = GlobIndex.of(starred, false);
    }

    /** Passes each entry for this value to the consumer, in no particular order. */
    public void find(String value, Consumer<T> seen) {
        T found = exact.get(value);
        if (found != null) {
            seen.accept(found);
        }
        for (GlobIndex<T> index : globs) {
            GlobIndex.Match<T> match = index.find(value, 0, value.length());
            while (match != null) {
                seen.accept(match.value());
                match = match.next(value, 0, value.length());
            }
        }
    }
}
