package dev.sluice.match.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Finds the texts with stars in them that a piece of a longer text fits, by what stands before their first star or
 * behind the last one, whichever fewer of them share. So ten thousand cost no more than there are lengths of such
 * texts; only those that begin and end with a star are tried one by one. Immutable; a search allocates nothing.
 *
 * @param <T> what stands for a text with stars
 */
public final class GlobTable<T> {

    private final List<GlobIndex<T>> bunches;

    /**
     * Makes a table.
     *
     * @param globs in the order in which they are found where one look-up finds several
     */
    public GlobTable(Map<Glob, T> globs, boolean ignoreCase) {
        Map<String, Integer> beginnings = count(globs, Glob::beginning);
        Map<String, Integer> endings = count(globs, Glob::ending);
        Map<Integer, Map<String, Map<Glob, T>>> begun = new TreeMap<>();
        Map<Integer, Map<String, Map<Glob, T>>> ended = new TreeMap<>();
        globs.forEach((glob, value) -> {
            int alikeBefore = beginnings.getOrDefault(glob.beginning(), Integer.MAX_VALUE);
            int alikeBehind = endings.getOrDefault(glob.ending(), Integer.MAX_VALUE);
            boolean byEnding = alikeBehind < alikeBefore;
            String text = byEnding ? glob.ending() : glob.beginning();
            (byEnding ? ended : begun)
                    .computeIfAbsent(text.length(), length -> new LinkedHashMap<>())
                    .computeIfAbsent(ignoreCase ? CaseFolding.of(text) : text, same -> new LinkedHashMap<>())
                    .put(glob, value);
        });
        List<GlobIndex<T>> all = new ArrayList<>();
        begun.forEach((length, byText) -> all.add(new GlobIndex<>(false, length, byText, ignoreCase)));
        ended.forEach((length, byText) -> all.add(new GlobIndex<>(true, length, byText, ignoreCase)));
        this.bunches = List.copyOf(all);
    }

    /** To be searched one after the other. */
    public List<GlobIndex<T>> bunches() {
        return bunches;
    }

    /** How many share each text; empty texts tell nothing and are left out. */
    private static <T> Map<String, Integer> count(Map<Glob, T> globs, Function<Glob, String> text) {
        Map<String, Integer> counts = new HashMap<>();
        globs.keySet().forEach(glob -> counts.merge(text.apply(glob), 1, Integer::sum));
        counts.remove("");
        return counts;
    }
}
