package dev.sluice.match.text;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Texts with stars in them that are found by a beginning of one length, or by an ending: a hash table that is asked
 * with a piece of a longer text, so that no substring need be made. Immutable.
 *
 * @param <T> what stands for a text with stars
 */
public final class GlobIndex<T> {

    private static final int MANY = 2_000;

    private final boolean byEnding;
    private final int length;
    /**
     * One bit for the lowest bits of each character that an end begins with: most texts that have none of the ends need
     * no further look.
     */
    private final long firsts;

    private final @Nullable Way<T>[] slots;
    /** How many of their last characters tell the ends apart: no others need be hashed. */
    private final int telling;

    private final boolean ignoreCase;
    /** Only for so many that they would not all stay in the processor's nearest cache. Knows no case. */
    private final @Nullable BitFilter filter;

    /**
     * Makes a bunch.
     *
     * @param length of the ends by which texts are found
     * @param byEnd the texts, by these ends; folded, where case is ignored
     */
    @SuppressWarnings({"unchecked", "rawtypes"}) // there is no other way to make an array of a generic type
    GlobIndex(boolean byEnding, int length, Map<String, Map<Glob, T>> byEnd, boolean ignoreCase) {
        this.byEnding = byEnding;
        this.length = length;
        this.firsts = firsts(byEnd.keySet());
        this.slots = new @Nullable Way[Integer.highestOneBit(byEnd.size()) * 4];
        this.telling = telling(length, byEnd.keySet());
        this.ignoreCase = ignoreCase;
        this.filter = byEnd.size() > MANY && !ignoreCase ? new BitFilter(byEnd.keySet()) : null;
        byEnd.forEach((end, globs) -> {
            int slot = slot(end, 0);
            slots[slot] = Way.chain(end.toCharArray(), globs, ignoreCase, slots[slot]);
        });
    }

    private static long firsts(Collection<String> ends) {
        long firsts = 0;
        for (String end : ends) {
            firsts |= end.isEmpty() ? -1 : 1L << end.charAt(0);
        }
        return firsts;
    }

    private static int telling(int length, Collection<String> ends) {
        for (int telling = 0; telling < length; telling += Math.max(1, telling)) {
            Set<String> told = new HashSet<>();
            for (String end : ends) {
                told.add(end.substring(length - telling));
            }
            if (told.size() == ends.size()) {
                return telling;
            }
        }
        return length;
    }

    /** The first that the piece of the text between the two places fits; those that follow it may fit too. */
    public @Nullable Way<T> find(String text, int from, int to) {
        int at = byEnding ? to - length : from;
        if (to - from < length || !mayBeginAt(text, at) || (filter != null && !filter.mayHold(text, at, at + length))) {
            return null;
        }
        Way<T> way = slots[slot(text, at)];
        while (way != null && !way.hasEnd(text, at)) {
            way = way.beside;
        }
        return way == null ? null : way.orNext(text, from, to);
    }

    private boolean mayBeginAt(String text, int at) {
        return length == 0 || (firsts >>> at(text, at) & 1) != 0;
    }

    /**
     * Spread enough that a caller cannot pile up collisions: the ends, not the callers, decide where chains grow. The
     * first character is for texts that have none of the ends: nearly all of them find an empty slot.
     */
    private int slot(String text, int from) {
        int hash = length == 0 ? 0 : at(text, from);
        for (int i = from + length - telling; i < from + length; i++) {
            hash = 31 * hash + at(text, i);
        }
        hash *= 0x9E3779B9;
        return (hash ^ (hash >>> 16)) & (slots.length - 1);
    }

    private char at(String text, int place) {
        char c = text.charAt(place);
        return ignoreCase ? CaseFolding.of(c) : c;
    }

    /**
     * What stands for one text with stars.
     *
     * @param <T> what stands for it
     */
    public static final class Way<T> {

        private final T value;
        private final char[] end;
        /** What there is still to be seen to; {@code null} where the one end was all. */
        private final @Nullable Glob rest;

        private final boolean ignoreCase;
        /** The next with the same end. */
        private final @Nullable Way<T> next;
        /** One with another end that falls into the same slot. */
        private final @Nullable Way<T> beside;

        private Way(
                char[] end, Glob glob, T value, boolean ignoreCase, @Nullable Way<T> next, @Nullable Way<T> beside) {
            this.end = end;
            this.value = value;
            this.rest = glob.hasOneEnd() ? null : glob;
            this.ignoreCase = ignoreCase;
            this.next = next;
            this.beside = beside;
        }

        /** All with one end, of which there is at least one. */
        private static <T> Way<T> chain(char[] end, Map<Glob, T> globs, boolean ignoreCase, @Nullable Way<T> beside) {
            List<Map.Entry<Glob, T>> entries = new ArrayList<>(globs.entrySet());
            Way<T> way = null;
            for (int i = entries.size() - 1; i > 0; i--) {
                way = new Way<>(end, entries.get(i).getKey(), entries.get(i).getValue(), ignoreCase, way, null);
            }
            return new Way<>(end, entries.get(0).getKey(), entries.get(0).getValue(), ignoreCase, way, beside);
        }

        /** Compares character by character, which for short pieces is quicker than what {@code String} offers. */
        private boolean hasEnd(String text, int from) {
            for (int i = 0; i < end.length; i++) {
                char c = text.charAt(from + i);
                if (end[i] != c && !(ignoreCase && end[i] == CaseFolding.of(c))) {
                    return false;
                }
            }
            return true;
        }

        public T value() {
            return value;
        }

        /** The next that the piece fits. */
        public @Nullable Way<T> next(String text, int from, int to) {
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
