package dev.sluice.match.text;

import java.util.Collection;

/**
 * Tells of most texts that they are none of many: a few bits for each of the many, which stay in the processor's cache
 * where a table of all would not. So callers that are not listed cost the same, however many others are somebody.
 * Immutable.
 */
final class BitFilter {

    private static final int BITS_FOR_EACH = 16;

    private final long[] bits;

    BitFilter(Collection<String> texts) {
        int words = Integer.highestOneBit(Math.max(1, texts.size() * BITS_FOR_EACH / Long.SIZE)) * 2;
        this.bits = new long[words];
        for (String text : texts) {
            int bit = bit(text, 0, text.length());
            bits[bit / Long.SIZE] |= 1L << bit;
        }
    }

    /** Whether that piece of a text may be one of them; {@code false} is certain. */
    boolean mayHold(String text, int from, int to) {
        int bit = bit(text, from, to);
        return (bits[bit / Long.SIZE] & 1L << bit) != 0;
    }

    private int bit(String text, int from, int to) {
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + text.charAt(i);
        }
        hash *= 0x9E3779B9;
        return (hash ^ hash >>> 15) & (bits.length * Long.SIZE - 1);
    }
}
