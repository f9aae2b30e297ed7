package dev.sluice.cli.output;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Formats times and durations for people. */
public final class TimeText {

    private static final Duration LONGEST = Duration.ofDays(10_000);

    private TimeText() {}

    /** Formats a time, for example {@code 2026-11-23T13:00:00Z}. */
    public static String moment(long millis) {
        return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /**
     * Formats a duration in its two largest units, for example {@code 1h 59m}. Rounds seconds up, so that a retry after
     * this duration is not too early.
     */
    public static String span(long millis) {
        long seconds = Math.min(LONGEST.toSeconds(), Math.max(0, -Math.floorDiv(-millis, 1000)));
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3600) {
            return both(seconds / 60, "m", seconds % 60, "s");
        }
        return seconds < 86_400
                ? both(seconds / 3600, "h", seconds % 3600 / 60, "m")
                : both(seconds / 86_400, "d", seconds % 86_400 / 3600, "h");
    }

    private static String both(long large, String unit, long small, String smallUnit) {
        return large + unit + (small == 0 ? "" : " " + small + smallUnit);
    }
}
