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
 * The subjects of one caller at one endpoint, as an immutable list with a fingerprint. The fingerprint lets code that
 * counts decisions recognise a caller without comparing names. The limiter creates such a list for each counter.
 * Thread-safe.
 */
public final class CallerSubjects extends AbstractCollection<Subject> implements List<Subject>, RandomAccess {

    private static final Comparator<Subject> BY_SUBJECT =
            Comparator.comparing(Subject::value).thenComparing(Subject::name).thenComparing(Subject::source);

    /**
     * A total order of subject lists. Hash maps use it to stay fast even if callers construct keys with equal hashes.
     */
    public static final Comparator<List<Subject>> ORDER =
            (some, others) -> Arrays.compare(some.toArray(Subject[]::new), others.toArray(Subject[]::new), BY_SUBJECT);

    private final Names names;
    /**
     * The value if there is only one subject; otherwise the list of values. {@link Subject}s are created on demand.
     * This saves memory, because every counter stores a list of subjects.
     */
    private final Object values;

    private final long fingerprint;
    private @Nullable Long boxed;

    /** Creates the subjects that identify a caller at the endpoint with the given id. */
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

    /** The names that all callers in a counter family share. */
    private record Names(String endpoint, List<String> names, List<String> sources) {

        private boolean nameLike(Names others) {
            return names.equals(others.names) && sources.equals(others.sources);
        }
    }

    /**
     * Returns a factory for callers whose subjects have the given names and sources. The factory's argument is the
     * value of the only subject, or the list of values if there are several subjects.
     *
     * @param names the names of the subjects
     * @param sources the source of each value
     */
    public static Function<Object, CallerSubjects> of(String endpoint, List<String> names, List<String> sources) {
        Names inCommon = new Names(endpoint, List.copyOf(names), List.copyOf(sources));
        return values -> new CallerSubjects(inCommon, values);
    }

    /**
     * A number that identifies a caller at an endpoint in this process. Callers cannot influence it. Collisions are
     * very rare: with 2,000 callers, the probability is one in nine trillion.
     */
    public static long fingerprint(String endpoint, List<Subject> subjects) {
        return subjects instanceof CallerSubjects known && known.names.endpoint.equals(endpoint)
                ? known.fingerprint
                : Fingerprint.of(endpoint, subjects);
    }

    /**
     * The {@link #fingerprint} as a map key. The boxed number is cached in the subjects of a counter, so calls do not
     * need to allocate it.
     */
    public static Long boxedFingerprint(String endpoint, List<Subject> subjects) {
        return subjects instanceof CallerSubjects known && known.names.endpoint.equals(endpoint)
                ? known.boxed()
                : Fingerprint.of(endpoint, subjects);
    }

    /**
     * Boxes the fingerprint when it is first needed. Races between threads are harmless, because all boxes are equal.
     */
    private Long boxed() {
        Long known = boxed;
        if (known == null) {
            known = fingerprint;
            boxed = known;
        }
        return known;
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

    // ---- The other methods of an immutable list. AbstractList has a modCount field, which would cost memory per
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
