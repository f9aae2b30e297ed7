package dev.sluice.match.text;

import java.util.Collection;

/**
 * A Bloom filter with one hash: rules out most texts that are not in a set. Its few bits per text stay in the
 * processor's cache, so that unlisted callers cost the same however many are listed. Immutable.
 */
final class BitFilter {

    private static final int BITS_PER_TEXT = 16;

    private final long[] bits;

    BitFilter(Collection<String> texts) {
        int words = Integer.highestOneBit(Math.max(1, texts.size() * BITS_PER_TEXT / Long.SIZE)) * 2;
        this.bits = new long[words];
        for (String text : texts) {
            int bit = bit(text, 0, text.length());
            bits[bit / Long.SIZE] |= 1L << bit;
        }
    }

    /** Whether this part of a text may be in the set; {@code false} is certain. */
    boolean mayContain(String text, int from, int to) {
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
