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

    private static final int MARK = 1 << 31;

    /** Negative where there is an entry, otherwise 0. */
    private final int[] hashes;

    private final @Nullable String[] texts;
    private final @Nullable Object[] values;

    /** How many characters at the end of a text, with its length, tell the texts apart: no others need be hashed. */
    private final int telling;

    private final boolean ignoreCase;

    LiteralTable(Map<String, V> entries, boolean ignoreCase) {
        int size = entries.isEmpty() ? 0 : Integer.highestOneBit(entries.size()) * 4;
        this.hashes = new int[size];
        this.texts = new @Nullable String[size];
        this.values = new @Nullable Object[size];
        this.telling = telling(entries.keySet());
        this.ignoreCase = ignoreCase;
        entries.forEach((text, value) -> {
            int hash = hash(text, 0, text.length());
            int slot = hash & (size - 1);
            while (texts[slot] != null) {
                slot = (slot + 1) & (size - 1);
            }
            hashes[slot] = hash;
            texts[slot] = text;
            values[slot] = value;
        });
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

    @SuppressWarnings("unchecked") // values holds nothing but V
    @Nullable V find(String path, int from, int to) {
        int mask = hashes.length - 1;
        if (mask < 0) {
            return null;
        }
        int hash = hash(path, from, to);
        int slot = hash & mask;
        while (hashes[slot] != 0) {
            String text = texts[slot];
            if (hashes[slot] == hash && text != null && text.length() == to - from && matches(path, from, text)) {
                return (V) values[slot];
            }
            slot = (slot + 1) & mask;
        }
        return null;
    }

    private boolean matches(String path, int from, String text) {
        return ignoreCase ? path.regionMatches(true, from, text, 0, text.length()) : path.startsWith(text, from);
    }

    /** A text of which all spellings that differ in case are one: character by character, as they are compared, so its length stays. */
    static String fold(String text) {
        StringBuilder folded = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            folded.append(fold(text.charAt(i)));
        }
        return folded.toString();
    }

    private static char fold(char c) {
        return Character.toLowerCase(Character.toUpperCase(c));
    }

    /** Spread enough that a caller cannot pile up collisions: the entries, not the callers, decide where chains grow. */
    private int hash(String text, int from, int to) {
        int hash = to - from;
        for (int i = Math.max(from, to - telling); i < to; i++) {
            char c = text.charAt(i);
            hash = 31 * hash + (ignoreCase ? fold(c) : c);
        }
        hash *= 0x9E3779B9;
        return (hash ^ (hash >>> 16)) | MARK;
    }
}
