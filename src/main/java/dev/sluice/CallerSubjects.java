package dev.sluice;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.RandomAccess;

/**
 * The subjects of one caller at one endpoint: an immutable list that carries a fingerprint, so that code which counts
 * decisions recognises a caller without comparing names. The limiter creates one for each counter.
 */
public final class CallerSubjects extends AbstractList<Subject> implements RandomAccess {

    private static final Comparator<Subject> BY_SUBJECT =
            Comparator.comparing(Subject::value).thenComparing(Subject::name).thenComparing(Subject::source);

    /** A total order of lists of subjects, for maps with keys that callers can construct to have the same hash. */
    public static final Comparator<List<Subject>> ORDER =
            (some, others) -> Arrays.compare(some.toArray(Subject[]::new), others.toArray(Subject[]::new), BY_SUBJECT);

    private static final Subject[] NONE = {};

    private final String endpoint;
    /** The only subject, or an array of several. Saves memory: there is one such list for each counter. */
    private final Object held;

    private final long fingerprint;
    private int hint;

    /** The subjects of a caller at the endpoint with this id. */
    public CallerSubjects(String endpoint, List<Subject> subjects) {
        this.endpoint = endpoint;
        this.held = subjects.size() == 1 ? subjects.get(0) : subjects.toArray(NONE);
        this.fingerprint = Fingerprint.of(endpoint, subjects);
    }

    /**
     * A number that identifies a caller at an endpoint within this run of the process. Collisions are rare: among 2,000
     * callers, even with only 52 of its bits, one in two thousand billion. Callers cannot choose theirs.
     */
    public static long fingerprint(String endpoint, List<Subject> subjects) {
        return subjects instanceof CallerSubjects known && known.endpoint.equals(endpoint)
                ? known.fingerprint
                : Fingerprint.of(endpoint, subjects);
    }

    /**
     * A position that code which counts decisions stored here, to find this caller's entry sooner; 0 at first. Threads
     * write it without synchronisation, so readers must check that the entry is this caller's.
     */
    public int hint() {
        return hint;
    }

    /** Stores a {@link #hint}. */
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
