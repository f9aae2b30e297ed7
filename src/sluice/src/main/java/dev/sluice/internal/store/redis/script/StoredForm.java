package dev.sluice.internal.store.redis.script;

import dev.sluice.internal.algorithm.BusyPeriods;

/**
 * The form in which the script stores counters, for those who read them without the script. The script gets these
 * figures from here. With another {@link #SPAN}, logs that are stored already count wrongly. The other figures bound
 * what counts as ours: if they become smaller, what is stored already may count as nothing.
 */
public final class StoredForm {

    /** The most digits of a number. A double holds each of these exactly, and so do Lua and the scores of Redis. */
    public static final int LONGEST_NUMBER = 15;

    /** A pattern for such a number, which captures it. */
    public static final String NUMBER = "(\\d{1," + LONGEST_NUMBER + "})";

    /** The largest count of a window, which has {@link #LONGEST_NUMBER} digits: the largest threshold a thousand times. */
    public static final long MOST_COUNT = 999_999_999_999_999L;

    /** The most digits of a stored count, since somebody else may have written one above {@link #MOST_COUNT}. */
    public static final int LONGEST_COUNT = 18;

    /** The most bytes of a field of the shares: thousands of instances. */
    public static final int LONGEST_FIELD = 1 << 18;

    /** The most bytes of a bucket: its entries and up to three pairs more, of two numbers with a separator each. */
    public static final int LONGEST_BUCKET = (BusyPeriods.MOST + 3) * 2 * (LONGEST_NUMBER + 1);

    /** The most instances with slots of one counter. */
    public static final int MOST_SLOT_HOLDERS = 10_000;

    /** The most bytes of the name and of the slots of one of these instances. */
    public static final int LONGEST_SLOTS = 1024;

    /** One more than the latest time of a log, in milliseconds since 1970: the distance of the scores of two weights. */
    public static final long SPAN = 1L << 42;

    /** The most doublings of a member's weight. {@code MOST_DOUBLINGS * SPAN} is exact as a score. */
    public static final int MOST_DOUBLINGS = 40;

    private StoredForm() {}
}
