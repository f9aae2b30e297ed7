package dev.sluice.internal.match.glob;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A hash table of globs whose prefixes or suffixes have the same length. A search looks up a part of a longer text
 * without creating a substring, and allocates nothing. Immutable.
 *
 * @param <T> the type of a glob's value
 */
public final class GlobIndex<T> {

    private final boolean bySuffix;
    private final int length;
    private final @Nullable Match<T>[] slots;
    private final boolean ignoreCase;

    /**
     * Creates several indexes. Together, they find all globs that match a part of a text. A glob is indexed either by
     * its prefix before the first star or by its suffix after the last star. Of these two, we choose the one that fewer
     * globs share. The duration of a search therefore depends on the number of distinct lengths, and not on the number
     * of globs. Only globs that both start and end with a star are tried one by one.
     *
     * @param globs the globs, in the order in which a search finds them
     */
    public static <T> List<GlobIndex<T>> of(Map<Glob, T> globs, boolean ignoreCase) {
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
        return List.copyOf(all);
    }

    /** Counts the globs with each prefix or suffix, except the empty one. */
    private static <T> Map<String, Integer> count(Map<Glob, T> globs, Function<Glob, String> text) {
        Map<String, Integer> counts = new HashMap<>();
        globs.keySet().forEach(glob -> counts.merge(text.apply(glob), 1, Integer::sum));
        counts.remove("");
        return counts;
    }

    /**
     * Creates an index.
     *
     * @param length the length of the keys
     * @param byKey the globs by key. A key is a prefix or suffix, and is case-folded if case is ignored
     */
    @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no other way to create a generic array
    private GlobIndex(boolean bySuffix, int length, Map<String, Map<Glob, T>> byKey, boolean ignoreCase) {
        this.bySuffix = bySuffix;
        this.length = length;
        this.slots = new @Nullable Match[Integer.highestOneBit(byKey.size()) * 4];
        this.ignoreCase = ignoreCase;
        byKey.forEach((key, globs) -> {
            int slot = slot(key, 0);
            slots[slot] = Match.chain(key.toCharArray(), globs, ignoreCase, slots[slot]);
        });
    }

    /** Returns the first glob that matches this part of the text. Later globs can also match. */
    public @Nullable Match<T> find(String text, int from, int to) {
        int at = bySuffix ? to - length : from;
        if (to - from < length) {
            return null;
        }
        Match<T> match = slots[slot(text, at)];
        while (match != null && !match.hasKey(text, at)) {
            match = match.nextInSlot;
        }
        return match == null ? null : match.orNext(text, from, to);
    }

    /**
     * Returns the slot of a key. The length of a slot's chain depends only on the keys in the file, so callers cannot
     * make it longer.
     */
    private int slot(String text, int from) {
        int hash = 0;
        for (int i = from; i < from + length; i++) {
            hash = 31 * hash + at(text, i);
        }
        hash *= 0x9E3779B9;
        return (hash ^ (hash >>> 16)) & (slots.length - 1);
    }

    private char at(String text, int index) {
        char c = text.charAt(index);
        return ignoreCase ? CaseFolding.of(c) : c;
    }

    /**
     * One glob and its value.
     *
     * @param <T> the type of the value
     */
    public static final class Match<T> {

        private final T value;
        private final char[] key;
        /**
         * The glob that must still be checked; {@code null} if the key is the whole glob, so that no further check is
         * needed.
         */
        private final @Nullable Glob unchecked;

        private final boolean ignoreCase;
        /** The next glob with the same key. */
        private final @Nullable Match<T> next;
        /** The next entry with a different key in the same slot. */
        private final @Nullable Match<T> nextInSlot;

        private Match(
                char[] key,
                Glob glob,
                T value,
                boolean ignoreCase,
                @Nullable Match<T> next,
                @Nullable Match<T> nextInSlot) {
            this.key = key;
            this.value = value;
            this.unchecked = glob.isPrefixOrSuffix() ? null : glob;
            this.ignoreCase = ignoreCase;
            this.next = next;
            this.nextInSlot = nextInSlot;
        }

        /** Links the globs with the same key. There is at least one glob. */
        private static <T> Match<T> chain(
                char[] key, Map<Glob, T> globs, boolean ignoreCase, @Nullable Match<T> nextInSlot) {
            List<Map.Entry<Glob, T>> entries = new ArrayList<>(globs.entrySet());
            Match<T> match = null;
            for (int i = entries.size() - 1; i > 0; i--) {
                match = new Match<>(key, entries.get(i).getKey(), entries.get(i).getValue(), ignoreCase, match, null);
            }
            return new Match<>(key, entries.get(0).getKey(), entries.get(0).getValue(), ignoreCase, match, nextInSlot);
        }

        /**
         * Whether the text contains the key at this index. Compares character by character, because this is faster than
         * the methods of {@code String} if texts are short.
         */
        private boolean hasKey(String text, int from) {
            for (int i = 0; i < key.length; i++) {
                char c = text.charAt(from + i);
                if (key[i] != c && !(ignoreCase && key[i] == CaseFolding.of(c))) {
                    return false;
                }
            }
            return true;
        }

        public T value() {
            return value;
        }

        /** Returns the next glob that matches this part of the text. */
        public @Nullable Match<T> next(String text, int from, int to) {
            return next == null ? null : next.orNext(text, from, to);
        }

        private @Nullable Match<T> orNext(String text, int from, int to) {
            Match<T> match = this;
            while (match != null && match.unchecked != null && !match.unchecked.matches(text, from, to, ignoreCase)) {
                match = match.next;
            }
            return match;
        }
    }
}
