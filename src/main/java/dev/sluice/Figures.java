package dev.sluice;

import java.time.Duration;

/** What the figures of any limit have in common. */
final class Figures {

    /** With finer parts of a token, the time since 1970 would not fit into a number. */
    private static final long FINEST = 1_000_000;

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
        if (burst < 1 || burst > Limit.MAX_THRESHOLD) {
            throw new IllegalArgumentException("burst " + burst + " is not from 1 to " + Limit.MAX_THRESHOLD);
        }
        long parts = threshold / greatestCommonDivisor(threshold, period.toMillis());
        if (parts > FINEST) {
            throw new IllegalArgumentException(threshold + " in " + period
                    + " flow in too fine parts; choose rounder figures, such as "
                    + Math.max(1, Math.min(FINEST, threshold / period.toMillis())) * period.toMillis() + " in "
                    + period);
        }
        double filling = (double) burst / threshold * period.toMillis();
        if (filling > LONGEST_FILLING.toMillis()) {
            throw new IllegalArgumentException("a bucket of " + burst + " that " + threshold + " flow into each "
                    + period + " takes more than " + LONGEST_FILLING.toDays() + " days to fill");
        }
    }

    private static long greatestCommonDivisor(long a, long b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }
}
