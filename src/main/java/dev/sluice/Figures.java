package dev.sluice;

import java.time.Duration;

/** What the figures of any limit have in common. */
final class Figures {

    /** More than this a millisecond would make sums of token times overflow within a lifetime. */
    private static final long MOST_A_MILLI = 1_000_000;

    private static final Duration LONGEST_FILLING = Duration.ofDays(3660);

    private Figures() {}

    static void check(long threshold, long mostThreshold, Duration period) {
        if (threshold < 1 || threshold > mostThreshold) {
            throw new IllegalArgumentException("threshold " + threshold + " is not from 1 to " + mostThreshold);
        }
        if (period.toMillis() < 1 || period.compareTo(Limit.MAX_PERIOD) > 0) {
            throw new IllegalArgumentException(
                    "period " + period + " is not from 1 ms to " + Limit.MAX_PERIOD.toDays() + " days");
        }
    }

    static void checkFlow(long threshold, Duration period, long burst) {
        if (threshold > mostFlow(period)) {
            throw new IllegalArgumentException(
                    threshold + " in " + period + " is more than " + MOST_A_MILLI + " a millisecond");
        }
        if (burst < 1 || burst > mostHeld(threshold, period)) {
            throw new IllegalArgumentException("burst " + burst + " is not from 1 to " + mostHeld(threshold, period)
                    + ", which takes " + LONGEST_FILLING.toDays() + " days to fill or is the largest there is");
        }
    }

    static long mostFlow(Duration period) {
        return Math.min(Limit.MAX_THRESHOLD, MOST_A_MILLI * period.toMillis());
    }

    static long mostHeld(long threshold, Duration period) {
        double held = (double) LONGEST_FILLING.toMillis() / period.toMillis() * threshold;
        return (long) Math.min(Limit.MAX_THRESHOLD, held);
    }
}
