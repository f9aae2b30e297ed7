package dev.sluice.match;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A hash table that is asked with a piece of a longer text, so that no substring need be made.
 *
 * @param <V> what is found
 */
final class LiteralTable<V> {

    private final @Nullable Entry<V>[] slots;

    /** How many characters at the end of a text, with its length, tell the texts apart: no others need be hashed. */
    private final int telling;

    private final boolean ignoreCase;

    @SuppressWarnings({"unchecked", "rawtypes"}) // there is no other way to make an array of a generic type
    LiteralTable(Map<String, V> entries, boolean ignoreCase) {
        this.slots = new @Nullable Entry[entries.isEmpty() ? 1 : Integer.highestOneBit(entries.size()) * 4];
        this.telling = telling(entries.keySet());
        this.ignoreCase = ignoreCase;
        entries.forEach((text, value) -> {
            int slot = slot(text, 0, text.length());
            slots[slot] = new Entry<>(text, value, slots[slot]);
        });
    }

    /** A text, what it stands for, and another one that falls into the same slot. */
    private static final class Entry<V> {

        private final char[] text;
        private final V value;
        private final @Nullable Entry<V> next;

        Entry(String text, V value, @Nullable Entry<V> next) {
            this.text = text.toCharArray();
            this.value = value;
            this.next = next;
        }
    }

    private static int telling(Set<String> texts) {
        int longest = texts.stream().mapToInt(String::length).max().orElse(0);
        for (int telling = 0; telling < longest; telling += Math.max(1, telling)) {
            Set<String> told = new HashSet<>();
            for (String text : texts) {
                told.add(text.length() + ":" + text.substring(Math.max(0, text.length() - telling)));
            }
            if (told.size() == texts.size()) {
                return telling;
            }
        }
        return longest;
    }

    @Nullable V find(String path, int from, int to) {
        Entry<V> entry = slots[slot(path, from, to)];
        while (entry != null && !matches(path, from, to, entry.text)) {
            entry = entry.next;
        }
        return entry == null ? null : entry.value;
    }

    /** Compares character by character, which for short pieces is quicker than what {@code String} offers. */
    private boolean matches(String path, int from, int to, char[] text) {
        if (text.length != to - from) {
            return false;
        }
        for (int i = 0; i < text.length; i++) {
            char c = path.charAt(from + i);
            if (text[i] != c && !(ignoreCase && fold(text[i]) == fold(c))) {
                return false;
            }
        }
        return true;
    }

    /** A text of which all spellings that differ in case are one: character by character, as they are compared, so its length stays. */
    static String fold(String text) {
        StringBuilder folded = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            folded.append(fold(text.charAt(i)));
        }
        return folded.toString();
    }

    static char fold(char c) {
        return Character.toLowerCase(Character.toUpperCase(c));
    }

    /** Spread enough that a caller cannot pile up collisions: the entries, not the callers, decide where chains grow. */
    private int slot(String text, int from, int to) {
        int hash = to - from;
        for (int i = Math.max(from, to - telling); i < to; i++) {
            char c = text.charAt(i);
            hash = 31 * hash + (ignoreCase ? fold(c) : c);
        }
        hash *= 0x9E3779B9;
        return (hash ^ (hash >>> 16)) & (slots.length - 1);
    }
}
