package dev.sluice;

import java.util.AbstractCollection;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.RandomAccess;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The subjects of one caller at one endpoint: an immutable list that carries a fingerprint, so that code which counts
 * decisions recognises a caller without comparing names. The limiter creates one for each counter.
 */
public final class CallerSubjects extends AbstractCollection<Subject> implements List<Subject>, RandomAccess {

    private static final Comparator<Subject> BY_SUBJECT =
            Comparator.comparing(Subject::value).thenComparing(Subject::name).thenComparing(Subject::source);

    /** A total order of lists of subjects, for maps with keys that callers can construct to have the same hash. */
    public static final Comparator<List<Subject>> ORDER =
            (some, others) -> Arrays.compare(some.toArray(Subject[]::new), others.toArray(Subject[]::new), BY_SUBJECT);

    private final Names names;
    /** The only value, or a list of several. Saves memory: there is one for each counter, and subjects are made when asked for. */
    private final Object values;

    private final long fingerprint;
    private int hint;

    /** The subjects of a caller at the endpoint with this id. */
    public CallerSubjects(String endpoint, List<Subject> subjects) {
        this(
                new Names(
                        endpoint,
                        subjects.stream().map(Subject::name).toList(),
                        subjects.stream().map(Subject::source).toList()),
                subjects.size() == 1
                        ? subjects.get(0).value()
                        : subjects.stream().map(Subject::value).toList());
    }

    private CallerSubjects(Names names, Object values) {
        this.names = names;
        this.values = values;
        this.fingerprint = Fingerprint.of(names.endpoint, this);
    }

    /** What many callers have in common. */
    private record Names(String endpoint, List<String> names, List<String> sources) {

        private boolean nameLike(Names others) {
            return names.equals(others.names) && sources.equals(others.sources);
        }
    }

    /**
     * The subjects of callers of one endpoint who are identified in the same way, by their value; by the list of their values if
     * there are several subjects.
     *
     * @param names of the subjects
     * @param sources of their values
     */
    public static Function<Object, CallerSubjects> of(String endpoint, List<String> names, List<String> sources) {
        Names inCommon = new Names(endpoint, List.copyOf(names), List.copyOf(sources));
        return values -> new CallerSubjects(inCommon, values);
    }

    /**
     * A number that identifies a caller at an endpoint within this run of the process. Collisions are rare: among 2,000
     * callers, even with only 52 of its bits, one in two thousand billion. Callers cannot choose theirs.
     */
    public static long fingerprint(String endpoint, List<Subject> subjects) {
        return subjects instanceof CallerSubjects known && known.names.endpoint.equals(endpoint)
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
        Object value = values instanceof List<?> several ? several.get(index) : values;
        return new Subject(names.names.get(index), names.sources.get(index), (String) value);
    }

    @Override
    public int size() {
        return names.names.size();
    }

    // ---- The rest of a list that nobody changes. AbstractList has a field for changes, and there is one list for each
    // counter

    private List<Subject> subjects() {
        return IntStream.range(0, size()).mapToObj(this::get).toList();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return (other instanceof CallerSubjects that && that.names.nameLike(names))
                ? values.equals(that.values)
                : subjects().equals(other);
    }

    @Override
    public int hashCode() {
        return subjects().hashCode();
    }

    @Override
    public Iterator<Subject> iterator() {
        return subjects().iterator();
    }

    @Override
    public ListIterator<Subject> listIterator() {
        return subjects().listIterator();
    }

    @Override
    public ListIterator<Subject> listIterator(int index) {
        return subjects().listIterator(index);
    }

    @Override
    public List<Subject> subList(int from, int to) {
        return subjects().subList(from, to);
    }

    @Override
    public int indexOf(@Nullable Object subject) {
        return Arrays.asList(toArray()).indexOf(subject);
    }

    @Override
    public int lastIndexOf(@Nullable Object subject) {
        return Arrays.asList(toArray()).lastIndexOf(subject);
    }

    @Override
    public Subject set(int index, Subject subject) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void add(int index, Subject subject) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean addAll(int index, Collection<? extends Subject> subjects) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Subject remove(int index) {
        throw new UnsupportedOperationException();
    }
}
