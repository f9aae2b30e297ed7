package dev.sluice.match.text;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Finds the entries for a subject's value: exact values by hash, globs as {@link GlobTable} does. Immutable.
 *
 * @param <T> the entries
 */
public final class ValueTable<T> {

    private final Map<String, T> exact = new HashMap<>();
    private final GlobTable<T> globs;

    /** A table of values as the file writes them. */
    public ValueTable(Map<String, T> values) {
        Map<Glob, T> starred = new LinkedHashMap<>();
        values.forEach((text, found) -> {
            if (text.indexOf('*') < 0) {
                exact.put(text, found);
            } else {
                starred.put(Glob.parse(text), found);
            }
        });
        globs = new GlobTable<>(starred, false);
    }

    /** Passes all entries for this value, in no particular order. */
    public void find(String value, Consumer<T> seen) {
        T found = exact.get(value);
        if (found != null) {
            seen.accept(found);
        }
        for (GlobIndex<T> index : globs.indexes()) {
            GlobIndex.Match<T> match = index.find(value, 0, value.length());
            while (match != null) {
                seen.accept(match.value());
                match = match.next(value, 0, value.length());
            }
        }
    }
}
