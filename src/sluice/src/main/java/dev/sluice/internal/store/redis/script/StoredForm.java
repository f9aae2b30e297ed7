package dev.sluice.internal.store.redis.script;

import dev.sluice.internal.algorithm.BusyPeriods;

/**
 * The form in which the script stores counters, for classes that read them without the script. The script gets these
 * figures from here. If {@link #SPAN} changed, logs that are stored already would count wrongly. The other figures are
 * bounds for values that Sluice can have written. If one became smaller, values that are stored already might count as
 * nothing.
 */
public final class StoredForm {

    /**
     * The maximum number of digits of a number. A double represents all such numbers exactly, and so do Lua and the
     * scores in Redis.
     */
    public static final int LONGEST_NUMBER = 15;

    /** A pattern for such a number, which captures it. */
    public static final String NUMBER = "(\\d{1," + LONGEST_NUMBER + "})";

    /**
     * The largest count of a window, which has {@link #LONGEST_NUMBER} digits. It is a thousand times the largest
     * threshold.
     */
    public static final long MOST_COUNT = 999_999_999_999_999L;

    /**
     * The maximum number of digits of a stored count. It allows for a count above {@link #MOST_COUNT} that somebody
     * else has written.
     */
    public static final int LONGEST_COUNT = 18;

    /** The maximum length of a field of the shares in bytes, which is enough for thousands of instances. */
    public static final int LONGEST_FIELD = 1 << 18;

    /**
     * The maximum length of a bucket in bytes. It has its entries and up to three pairs more, each of two numbers with
     * separators.
     */
    public static final int LONGEST_BUCKET = (BusyPeriods.MOST + 3) * 2 * (LONGEST_NUMBER + 1);

    /** The maximum number of instances with slots of one counter. */
    public static final int MOST_SLOT_HOLDERS = 10_000;

    /** The maximum length in bytes of such an instance's name, and of its slots. */
    public static final int LONGEST_SLOTS = 1024;

    /** One more than the latest time of a log, in milliseconds since 1970: the distance of the scores of two weights. */
    public static final long SPAN = 1L << 42;

    /** The maximum number of doublings of a member's weight. {@code MOST_DOUBLINGS * SPAN} is exact as a score. */
    public static final int MOST_DOUBLINGS = 40;

    private StoredForm() {}
}
