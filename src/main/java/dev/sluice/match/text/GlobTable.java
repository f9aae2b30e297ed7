package dev.sluice.match.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Finds the globs that a part of a text matches, by their prefix before the first star or their suffix after the last
 * one, whichever fewer globs share. So the time depends on the number of different lengths, not of globs; only globs
 * that start and end with a star are tried one by one. Immutable; a search allocates nothing.
 *
 * @param <T> the value of a glob
 */
public final class GlobTable<T> {

    private final List<GlobIndex<T>> indexes;

    /**
     * Creates a table.
     *
     * @param globs in the order in which one search finds them
     */
    public GlobTable(Map<Glob, T> globs, boolean ignoreCase) {
        Map<String, Integer> beginnings = count(globs, Glob::beginning);
        Map<String, Integer> endings = count(globs, Glob::ending);
        Map<Integer, Map<String, Map<Glob, T>>> prefixes = new TreeMap<>();
        Map<Integer, Map<String, Map<Glob, T>>> suffixes = new TreeMap<>();
        globs.forEach((glob, value) -> {
            int withSamePrefix = beginnings.getOrDefault(glob.beginning(), Integer.MAX_VALUE);
            int withSameSuffix = endings.getOrDefault(glob.ending(), Integer.MAX_VALUE);
            boolean bySuffix = withSameSuffix < withSamePrefix;
            String text = bySuffix ? glob.ending() : glob.beginning();
            (bySuffix ? suffixes : prefixes)
                    .computeIfAbsent(text.length(), length -> new LinkedHashMap<>())
                    .computeIfAbsent(ignoreCase ? CaseFolding.of(text) : text, same -> new LinkedHashMap<>())
                    .put(glob, value);
        });
        List<GlobIndex<T>> all = new ArrayList<>();
        prefixes.forEach((length, byText) -> all.add(new GlobIndex<>(false, length, byText, ignoreCase)));
        suffixes.forEach((length, byText) -> all.add(new GlobIndex<>(true, length, byText, ignoreCase)));
        this.indexes = List.copyOf(all);
    }

    /** The indexes, to be searched one after the other. */
    public List<GlobIndex<T>> indexes() {
        return indexes;
    }

    /** How many globs share each text, without the empty text. */
    private static <T> Map<String, Integer> count(Map<Glob, T> globs, Function<Glob, String> text) {
        Map<String, Integer> counts = new HashMap<>();
        globs.keySet().forEach(glob -> counts.merge(text.apply(glob), 1, Integer::sum));
        counts.remove("");
        return counts;
    }
}
