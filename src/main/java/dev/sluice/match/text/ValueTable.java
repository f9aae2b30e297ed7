package dev.sluice.match.text;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Finds what stands for a value of a subject: exact values by hash, those with stars in them as {@link GlobTable} does.
 * Whoever is nobody in particular does not pay for how many others are somebody. Immutable.
 *
 * @param <T> what stands for a value
 */
public final class ValueTable<T> {

    private final Map<String, T> exact = new HashMap<>();
    private final BitFilter exactSieve;
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
        exactSieve = new BitFilter(exact.keySet());
        globs = new GlobTable<>(starred, false);
    }

    /** Shows all that stands for this value, in no particular order. */
    public void find(String value, Consumer<T> seen) {
        T found = exactSieve.mayHold(value, 0, value.length()) ? exact.get(value) : null;
        if (found != null) {
            seen.accept(found);
        }
        for (GlobIndex<T> bunch : globs.bunches()) {
            GlobIndex.Way<T> way = bunch.find(value, 0, value.length());
            while (way != null) {
                seen.accept(way.value());
                way = way.next(value, 0, value.length());
            }
        }
    }
}
