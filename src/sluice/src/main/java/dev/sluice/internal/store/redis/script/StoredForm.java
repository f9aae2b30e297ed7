package dev.sluice.internal.store.redis.script;

import dev.sluice.internal.algorithm.BusyPeriods;

/**
 * The format in which the script stores counters, for classes that read counters without the script. The script uses
 * the same constants. If {@link #SPAN} changed, existing logs would be counted incorrectly. The other constants are
 * upper bounds for the values that Sluice writes. If a bound became smaller, existing values might be ignored.
 */
public final class StoredForm {

    /**
     * The maximum number of digits in a number. Numbers in Lua and scores in Redis are doubles, and a double represents
     * all numbers up to this length exactly.
     */
    public static final int LONGEST_NUMBER = 15;

    /** A pattern that captures a number of at most {@link #LONGEST_NUMBER} digits. */
    public static final String NUMBER = "(\\d{1," + LONGEST_NUMBER + "})";

    /**
     * The maximum count of a window. It has {@link #LONGEST_NUMBER} digits, and is a thousand times the maximum
     * threshold.
     */
    public static final long MOST_COUNT = 999_999_999_999_999L;

    /**
     * The maximum number of digits in a stored count. It allows for counts above {@link #MOST_COUNT} that another
     * program might have written.
     */
    public static final int LONGEST_COUNT = 18;

    /** The maximum length in bytes of a field in the shares. It is enough for thousands of instances. */
    public static final int LONGEST_FIELD = 1 << 18;

    /**
     * The maximum length of a stored bucket in bytes. A bucket consists of its entries and up to three further pairs of
     * numbers. Each entry is also a pair of numbers with separators.
     */
    public static final int LONGEST_BUCKET = (BusyPeriods.MOST + 3) * 2 * (LONGEST_NUMBER + 1);

    /** The maximum number of instances that hold slots of one counter. */
    public static final int MOST_SLOT_HOLDERS = 10_000;

    /** The maximum length in bytes of an instance's name, and of its slots. */
    public static final int LONGEST_SLOTS = 1024;

    /**
     * The difference between the scores of two successive weights. It is larger than any time that can occur in a log,
     * in milliseconds since 1970.
     */
    public static final long SPAN = 1L << 42;

    /**
     * The maximum number of times that a member's weight is doubled. A score of {@code MOST_DOUBLINGS * SPAN} is still
     * exact.
     */
    public static final int MOST_DOUBLINGS = 40;

    private StoredForm() {}
}
