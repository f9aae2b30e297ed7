package dev.sluice.match;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds what stands for a value of a subject: exact values by hash, those with stars in them by what stands before the first star or behind the
 * last one, whichever fewer share. So ten thousand of either cost no more than there are lengths of such texts; only those that begin and
 * end with a star are tried one by one. Immutable.
 *
 * @param <T> what stands for a value
 */
public final class ValueTable<T> {

    private final Map<String, T> exact = new HashMap<>();
    private final Sieve exactSieve;
    private final List<ByLength<T>> byBeginning;
    private final List<ByLength<T>> byEnding;
    private final List<Glob<T>> others;

    /** A table of values as the file writes them. */
    public ValueTable(Map<String, T> values) {
        List<Glob<T>> globs = new ArrayList<>();
        values.forEach((text, found) -> {
            if (text.indexOf('*') < 0) {
                exact.put(text, found);
            } else {
                globs.add(new Glob<>(new Segment.Glob(List.of(text.split("\\*", -1))), found));
            }
        });
        exactSieve = new Sieve(exact.keySet());
        Map<String, Integer> beginnings = count(globs, Glob::beginning);
        Map<String, Integer> endings = count(globs, Glob::ending);
        List<Glob<T>> begun = new ArrayList<>();
        List<Glob<T>> ended = new ArrayList<>();
        List<Glob<T>> open = new ArrayList<>();
        for (Glob<T> glob : globs) {
            int alikeBefore = beginnings.getOrDefault(glob.beginning(), Integer.MAX_VALUE);
            int alikeBehind = endings.getOrDefault(glob.ending(), Integer.MAX_VALUE);
            boolean anywhere = Math.min(alikeBefore, alikeBehind) == Integer.MAX_VALUE;
            (anywhere ? open : alikeBefore <= alikeBehind ? begun : ended).add(glob);
        }
        byBeginning = byLength(begun, Glob::beginning);
        byEnding = byLength(ended, Glob::ending);
        others = List.copyOf(open);
    }

    private record Glob<T>(Segment.Glob glob, T found) {

        String beginning() {
            return glob.beginning();
        }

        String ending() {
            return glob.ending();
        }
    }

    /** The globs whose beginnings, or endings, have one length. */
    private record ByLength<T>(int length, Sieve sieve, LiteralTable<List<Glob<T>>> globs) {

        @Nullable List<Glob<T>> find(String value, int from) {
            return sieve.mayHold(value, from, from + length) ? globs.find(value, from, from + length) : null;
        }
    }

    /** How many share each text; empty texts tell nothing and are left out. */
    private static <T> Map<String, Integer> count(List<Glob<T>> globs, Function<Glob<T>, String> text) {
        Map<String, Integer> counts = new HashMap<>();
        globs.forEach(glob -> counts.merge(text.apply(glob), 1, Integer::sum));
        counts.remove("");
        return counts;
    }

    private static <T> List<ByLength<T>> byLength(List<Glob<T>> globs, Function<Glob<T>, String> text) {
        Map<Integer, Map<String, List<Glob<T>>>> sorted = new TreeMap<>();
        for (Glob<T> glob : globs) {
            String key = text.apply(glob);
            sorted.computeIfAbsent(key.length(), length -> new LinkedHashMap<>())
                    .computeIfAbsent(key, same -> new ArrayList<>())
                    .add(glob);
        }
        List<ByLength<T>> tables = new ArrayList<>();
        sorted.forEach((length, byText) ->
                tables.add(new ByLength<>(length, new Sieve(byText.keySet()), new LiteralTable<>(byText, false))));
        return List.copyOf(tables);
    }

    /** Shows all that stands for this value, in no particular order. */
    public void find(String value, Consumer<T> seen) {
        T found = exactSieve.mayHold(value, 0, value.length()) ? exact.get(value) : null;
        if (found != null) {
            seen.accept(found);
        }
        showMatching(others, value, seen);
        for (ByLength<T> table : byBeginning) {
            if (table.length <= value.length()) {
                showMatching(table.find(value, 0), value, seen);
            }
        }
        for (ByLength<T> table : byEnding) {
            if (table.length <= value.length()) {
                showMatching(table.find(value, value.length() - table.length), value, seen);
            }
        }
    }

    private static <T> void showMatching(@Nullable List<Glob<T>> globs, String value, Consumer<T> seen) {
        if (globs != null) {
            for (Glob<T> glob : globs) {
                if (glob.glob.matches(value, 0, value.length(), false)) {
                    seen.accept(glob.found);
                }
            }
        }
    }
}
