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
        if (nearestFlow(threshold, period) != threshold) {
            throw new IllegalArgumentException(threshold + " in " + period
                    + " flow in too fine parts; choose rounder figures, such as " + nearestFlow(threshold, period)
                    + " in " + period);
        }
        if (burst < 1 || burst > mostHeld(threshold, period)) {
            throw new IllegalArgumentException("burst " + burst + " is not from 1 to " + mostHeld(threshold, period)
                    + "; more would take over " + LONGEST_FILLING.toDays() + " days to fill, or be too large a number");
        }
    }

    static long mostHeld(long threshold, Duration period) {
        double held = (double) LONGEST_FILLING.toMillis() / period.toMillis() * threshold;
        return (long) Math.min(Limit.MAX_THRESHOLD, held);
    }

    static long nearestFlow(long threshold, Duration period) {
        long millis = period.toMillis();
        return threshold / greatestCommonDivisor(threshold, millis) <= FINEST
                ? threshold
                : Math.max(1, Math.min(FINEST, threshold / millis)) * millis;
    }

    private static long greatestCommonDivisor(long a, long b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }
}
