package dev.sluice.internal.store.redis.script;

import dev.sluice.internal.algorithm.BusyPeriods;

/**
 * The format in which the script stores counters, for classes that read counters without the script. The script also
 * uses these constants. If {@link #SPAN} were changed, existing logs would be counted incorrectly. The other constants
 * are upper bounds for the values that Sluice writes. If a bound were reduced, existing values might be ignored.
 */
public final class StoredForm {

    /**
     * The maximum number of digits in a number. Numbers in Lua and scores in Redis are doubles, which represent all
     * numbers up to this length exactly.
     */
    public static final int LONGEST_NUMBER = 15;

    /** A pattern that captures a number with at most {@link #LONGEST_NUMBER} digits. */
    public static final String NUMBER = "(\\d{1," + LONGEST_NUMBER + "})";

    /**
     * The maximum count of a window. It has {@link #LONGEST_NUMBER} digits, and is one thousand times the maximum
     * threshold.
     */
    public static final long MOST_COUNT = 999_999_999_999_999L;

    /**
     * The maximum number of digits in a stored count. It leaves room for counts above {@link #MOST_COUNT}, which
     * another program might have written.
     */
    public static final int LONGEST_COUNT = 18;

    /**
     * The maximum length, in bytes, of a field in the hash of shares. It is large enough for thousands of instances.
     */
    public static final int LONGEST_FIELD = 1 << 18;

    /**
     * The maximum length, in bytes, of a stored bucket. A bucket consists of its entries and up to three additional
     * pairs of numbers. Each entry is also a pair of numbers. A separator follows every number.
     */
    public static final int LONGEST_BUCKET = (BusyPeriods.MOST + 3) * 2 * (LONGEST_NUMBER + 1);

    /** The maximum number of instances that can hold slots of one counter. */
    public static final int MOST_SLOT_HOLDERS = 10_000;

    /** The maximum length, in bytes, of an instance's name in these fields, and also of its value. */
    public static final int LONGEST_SLOTS = 1024;

    /**
     * The difference between the scores of two successive weights. It is larger than any time in a log, in milliseconds
     * since 1970.
     */
    public static final long SPAN = 1L << 42;

    /**
     * The maximum number of times that a member's weight is doubled. A score of {@code MOST_DOUBLINGS * SPAN} is still
     * exact as a double.
     */
    public static final int MOST_DOUBLINGS = 40;

    private StoredForm() {}
}
