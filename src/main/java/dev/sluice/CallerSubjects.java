package dev.sluice;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/**
 * Who is counted at one endpoint: an immutable list of subjects that carries a number, by which whoever counts decisions
 * knows a caller again without a look at any name. The limiter makes one for each counter.
 */
public final class CallerSubjects extends AbstractList<Subject> implements RandomAccess {

    private static final Subject[] NONE = {};

    private final String endpoint;
    /** The only subject, or an array of several: there are as many of these lists as counters. */
    private final Object held;

    private final long fingerprint;
    private int hint;

    /** These, at the endpoint of that id. */
    public CallerSubjects(String endpoint, List<Subject> subjects) {
        this.endpoint = endpoint;
        this.held = subjects.size() == 1 ? subjects.get(0) : subjects.toArray(NONE);
        this.fingerprint = Fingerprint.of(endpoint, subjects);
    }

    /**
     * The number of a caller at an endpoint, for this run of the process: of two thousand billion callers one is taken
     * for another of 2,000, even by 52 of its bits, and no caller can choose which.
     */
    public static long fingerprint(String endpoint, List<Subject> subjects) {
        return subjects instanceof CallerSubjects known && known.endpoint.equals(endpoint)
                ? known.fingerprint
                : Fingerprint.of(endpoint, subjects);
    }

    /**
     * A number that whoever counts has left here, to find sooner where this caller is counted; 0 at first. Threads race for
     * it, and it may be somebody else's: whoever reads it looks whether it leads to this caller.
     */
    public int hint() {
        return hint;
    }

    /** Leaves a {@link #hint}. */
    public void leaveHint(int number) {
        hint = number;
    }

    @Override
    public Subject get(int index) {
        if (held instanceof Subject[] several) {
            return several[index];
        }
        if (index != 0) {
            throw new IndexOutOfBoundsException(index);
        }
        return (Subject) held;
    }

    @Override
    public int size() {
        return held instanceof Subject[] several ? several.length : 1;
    }
}
