package dev.sluice.match;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the texts with stars in them that a piece of a longer text fits, by what stands before their first star or behind the last one,
 * whichever fewer of them share. So ten thousand cost no more than there are lengths of such texts; only those that begin and end
 * with a star are tried one by one. Immutable; a search allocates nothing.
 *
 * @param <T> what stands for a text with stars
 */
final class GlobTable<T> {

    private static final int MANY = 2_000;

    /** To be searched one after the other. */
    final List<Bunch<T>> bunches;

    /**
     * Makes a table.
     *
     * @param globs in the order in which they are found where one look-up finds several
     */
    GlobTable(Map<Segment.Glob, T> globs, boolean ignoreCase) {
        Map<String, Integer> beginnings = count(globs, Segment.Glob::beginning);
        Map<String, Integer> endings = count(globs, Segment.Glob::ending);
        Map<Integer, Map<String, Map<Segment.Glob, T>>> begun = new TreeMap<>();
        Map<Integer, Map<String, Map<Segment.Glob, T>>> ended = new TreeMap<>();
        globs.forEach((glob, value) -> {
            int alikeBefore = beginnings.getOrDefault(glob.beginning(), Integer.MAX_VALUE);
            int alikeBehind = endings.getOrDefault(glob.ending(), Integer.MAX_VALUE);
            boolean byEnding = alikeBehind < alikeBefore;
            String text = byEnding ? glob.ending() : glob.beginning();
            (byEnding ? ended : begun)
                    .computeIfAbsent(text.length(), length -> new LinkedHashMap<>())
                    .computeIfAbsent(ignoreCase ? LiteralTable.fold(text) : text, same -> new LinkedHashMap<>())
                    .put(glob, value);
        });
        List<Bunch<T>> all = new ArrayList<>();
        begun.forEach((length, byText) -> all.add(new Bunch<>(false, length, byText, ignoreCase)));
        ended.forEach((length, byText) -> all.add(new Bunch<>(true, length, byText, ignoreCase)));
        this.bunches = List.copyOf(all);
    }

    /** How many share each text; empty texts tell nothing and are left out. */
    private static <T> Map<String, Integer> count(Map<Segment.Glob, T> globs, Function<Segment.Glob, String> text) {
        Map<String, Integer> counts = new HashMap<>();
        globs.keySet().forEach(glob -> counts.merge(text.apply(glob), 1, Integer::sum));
        counts.remove("");
        return counts;
    }

    /**
     * Those that are found by a beginning of one length, or by an ending.
     *
     * @param <T> what stands for a text with stars
     */
    static final class Bunch<T> {

        private final boolean byEnding;
        private final int length;
        private final LiteralTable<Way<T>> ways;
        /** Only for so many that they would not all stay in the processor's nearest cache. Knows no case. */
        private final @Nullable Sieve sieve;

        private Bunch(boolean byEnding, int length, Map<String, Map<Segment.Glob, T>> byText, boolean ignoreCase) {
            this.byEnding = byEnding;
            this.length = length;
            Map<String, Way<T>> chains = new LinkedHashMap<>();
            byText.forEach((text, globs) -> chains.put(text, Way.chain(globs, ignoreCase)));
            this.ways = new LiteralTable<>(chains, ignoreCase);
            this.sieve = chains.size() > MANY && !ignoreCase ? new Sieve(chains.keySet()) : null;
        }

        /** The first that the piece of the text between the two places fits; those that follow it may fit too. */
        @Nullable Way<T> find(String text, int from, int to) {
            if (to - from < length) {
                return null;
            }
            int at = byEnding ? to - length : from;
            if (sieve != null && !sieve.mayHold(text, at, at + length)) {
                return null;
            }
            Way<T> first = ways.find(text, at, at + length);
            return first == null ? null : first.orNext(text, from, to);
        }
    }

    /**
     * What stands for one text with stars, and the next one that is found by the same beginning or ending.
     *
     * @param <T> what stands for a text with stars
     */
    static final class Way<T> {

        final T value;
        /** What there is still to be seen to; {@code null} where the one end was all. */
        private final Segment.@Nullable Glob rest;

        private final boolean ignoreCase;
        private final @Nullable Way<T> next;

        private Way(Segment.Glob glob, T value, boolean ignoreCase, @Nullable Way<T> next) {
            this.value = value;
            this.rest = glob.hasOneEnd() ? null : glob;
            this.ignoreCase = ignoreCase;
            this.next = next;
        }

        /** All in one chain; there is at least one. */
        private static <T> Way<T> chain(Map<Segment.Glob, T> globs, boolean ignoreCase) {
            List<Map.Entry<Segment.Glob, T>> entries = new ArrayList<>(globs.entrySet());
            Way<T> way = null;
            for (int i = entries.size() - 1; i > 0; i--) {
                way = new Way<>(entries.get(i).getKey(), entries.get(i).getValue(), ignoreCase, way);
            }
            return new Way<>(entries.get(0).getKey(), entries.get(0).getValue(), ignoreCase, way);
        }

        /** The next that the piece fits. */
        @Nullable Way<T> next(String text, int from, int to) {
            return next == null ? null : next.orNext(text, from, to);
        }

        private @Nullable Way<T> orNext(String text, int from, int to) {
            Way<T> way = this;
            while (way != null && way.rest != null && !way.rest.matches(text, from, to, ignoreCase)) {
                way = way.next;
            }
            return way;
        }
    }
}
