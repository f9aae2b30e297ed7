package dev.sluice.tier;

import java.time.Duration;

/**
 * Defines when and for how long a tier blocks a caller that keeps calling after refusals. Immutable and thread-safe.
 *
 * <pre>{@code
 * // 20 refusals within a minute: blocked for 5 minutes, then for 10, 20, … up to an hour
 * new BlockRule(20, Duration.ofMinutes(1), Duration.ofMinutes(5), Duration.ofHours(1))
 * }</pre>
 *
 * @param after the number of refusals that start a block
 * @param within the time span in which these refusals have to occur
 * @param lasts the duration of the first block
 * @param upTo the maximum duration of a block. Until it is reached, each block lasts twice as long as the previous one.
 *     Equal to {@code lasts} if all blocks have the same duration
 */
public record BlockRule(int after, Duration within, Duration lasts, Duration upTo) {

    /** The maximum for {@code after}. */
    public static final int MOST_REFUSALS = 1_000;

    /** The maximum for {@code within}. */
    public static final Duration LONGEST_WITHIN = Duration.ofHours(1);

    /** The minimum duration of a block. */
    public static final Duration SHORTEST = Duration.ofSeconds(1);

    /** The maximum duration of a block. */
    public static final Duration LONGEST = Duration.ofDays(30);

    /** Creates a rule whose blocks all have the same duration. */
    public BlockRule(int after, Duration within, Duration lasts) {
        this(after, within, lasts, lasts);
    }

    /**
     * Validates the figures.
     *
     * @throws IllegalArgumentException if a figure is out of range
     */
    public BlockRule {
        if (after < 1 || after > MOST_REFUSALS) {
            throw new IllegalArgumentException("after must be from 1 to " + MOST_REFUSALS + ", but is " + after);
        }
        check("within", within, Duration.ofMillis(1), LONGEST_WITHIN);
        check("lasts", lasts, SHORTEST, LONGEST);
        check("upTo", upTo, lasts, LONGEST);
    }

    private static void check(String name, Duration given, Duration least, Duration most) {
        if (given.compareTo(least) < 0 || given.compareTo(most) > 0) {
            throw new IllegalArgumentException(name + " must be from " + least + " to " + most + ", but is " + given);
        }
    }

    /**
     * The duration of a block.
     *
     * @param number 1 for the first block, 2 for the next, and so on
     */
    public long millis(int number) {
        long millis = lasts.toMillis();
        long most = upTo.toMillis();
        for (int i = 1; i < number && millis < most; i++) {
            millis *= 2;
        }
        return Math.min(millis, most);
    }
}
