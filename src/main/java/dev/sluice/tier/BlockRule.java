package dev.sluice.tier;

import java.time.Duration;

/**
 * When a caller who goes on after refusals is blocked, and how long.
 *
 * @param after how many refusals begin a block
 * @param within the time in which they come
 * @param lasts how long the first block lasts
 * @param upTo each next block lasts twice as long as the one before, up to this; the same as {@code lasts} if all last
 *     equally long
 */
public record BlockRule(int after, Duration within, Duration lasts, Duration upTo) {

    /** The most refusals. */
    public static final int MOST_REFUSALS = 1_000;

    /** The longest time in which refusals are counted. */
    public static final Duration LONGEST_WITHIN = Duration.ofHours(1);

    /** The shortest block. */
    public static final Duration SHORTEST = Duration.ofSeconds(1);

    /** The longest block. */
    public static final Duration LONGEST = Duration.ofDays(30);

    /** Blocks of one length. */
    public BlockRule(int after, Duration within, Duration lasts) {
        this(after, within, lasts, lasts);
    }

    public BlockRule {
        if (after < 1 || after > MOST_REFUSALS) {
            throw new IllegalArgumentException("after " + after + " is not from 1 to " + MOST_REFUSALS);
        }
        check("within", within, Duration.ofMillis(1), LONGEST_WITHIN);
        check("lasts", lasts, SHORTEST, LONGEST);
        check("upTo", upTo, lasts, LONGEST);
    }

    private static void check(String name, Duration given, Duration least, Duration most) {
        if (given.compareTo(least) < 0 || given.compareTo(most) > 0) {
            throw new IllegalArgumentException(name + " " + given + " is not from " + least + " to " + most);
        }
    }

    /** How long the block of this number in a row lasts, from 1. */
    public long millis(int number) {
        long millis = lasts.toMillis();
        long most = upTo.toMillis();
        for (int i = 1; i < number && millis < most; i++) {
            millis *= 2;
        }
        return Math.min(millis, most);
    }
}
