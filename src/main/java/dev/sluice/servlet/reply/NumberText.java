package dev.sluice.servlet.reply;

import org.jspecify.annotations.Nullable;

/** Numbers as text; the small ones, which most header values are, without making a new string each time. */
final class NumberText {

    private static final String[] SMALL = new String[1024];

    static {
        for (int i = 0; i < SMALL.length; i++) {
            SMALL[i] = Integer.toString(i);
        }
    }

    /**
     * By a few bits of the number. Racy, and no matter: whoever finds another number there puts its own in its place.
     */
    private static final @Nullable Kept[] KEPT = new @Nullable Kept[1024];

    private NumberText() {}

    private record Kept(long number, String text) {}

    /** The same for a number that is asked for again and again, as a threshold is: it is kept, however large. */
    static String ofThreshold(long number) {
        int place = (int) (number ^ number >>> 10) & (KEPT.length - 1);
        Kept kept = KEPT[place];
        if (kept == null || kept.number != number) {
            kept = new Kept(number, Long.toString(number));
            KEPT[place] = kept;
        }
        return kept.text;
    }

    static String of(long number) {
        return number >= 0 && number < SMALL.length ? SMALL[(int) number] : Long.toString(number);
    }
}
