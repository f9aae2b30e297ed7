package dev.sluice.servlet.reply;

import org.jspecify.annotations.Nullable;

/** Numbers as text, without a new string for small numbers, which most header values are, and for thresholds. */
final class NumberText {

    private static final String[] SMALL = new String[1024];

    static {
        for (int i = 0; i < SMALL.length; i++) {
            SMALL[i] = Integer.toString(i);
        }
    }

    /** Thresholds, by a hash of ten bits; of those with the same hash, the latest. Threads share it without locks. */
    private static final @Nullable Threshold[] THRESHOLDS = new @Nullable Threshold[1024];

    private NumberText() {}

    private record Threshold(long number, String text) {}

    static String of(long number) {
        return number >= 0 && number < SMALL.length ? SMALL[(int) number] : Long.toString(number);
    }

    /** The text of a number that is asked for again and again; it is cached, however large the number is. */
    static String ofThreshold(long number) {
        int hash = (int) (number ^ number >>> 10) & (THRESHOLDS.length - 1);
        Threshold known = THRESHOLDS[hash];
        if (known == null || known.number != number) {
            known = new Threshold(number, Long.toString(number));
            THRESHOLDS[hash] = known;
        }
        return known.text;
    }
}
