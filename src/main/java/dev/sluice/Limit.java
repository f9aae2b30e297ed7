package dev.sluice;

import java.time.Duration;

/** How much is allowed, one record per algorithm, each with exactly the figures that it needs. */
public sealed interface Limit permits Limit.FixedWindow {

    /** The largest threshold; far beyond any use, and small enough that no sum of counts overflows. */
    long MAX_THRESHOLD = 1_000_000_000_000L;

    /** The algorithm's name in the file. */
    String algorithm();

    /** How many calls may pass in a period. */
    long threshold();

    /** The time the threshold is for. */
    Duration period();

    /** At most {@code threshold} calls in each window of {@code period}; windows are aligned to the epoch. */
    record FixedWindow(long threshold, Duration period) implements Limit {

        public FixedWindow {
            if (threshold < 1 || threshold > MAX_THRESHOLD) {
                throw new IllegalArgumentException("threshold " + threshold + " is not between 1 and " + MAX_THRESHOLD);
            }
            if (period.toMillis() < 1 || period.toDays() > 366) {
                throw new IllegalArgumentException("period " + period + " is not between 1 ms and 366 days");
            }
        }

        @Override
        public String algorithm() {
            return "fixed-window";
        }
    }
}
