package dev.sluice.limiter.counter;

import dev.sluice.CallerSubjects;
import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.algorithm.FixedWindow;
import dev.sluice.limits.SubjectSource;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * All counters of one tier, method and way of finding the subjects: what identifies a counter beside the subjects'
 * values. One object for each identity within a limiter, so families are compared by reference; a reload keeps those
 * that were there, with their counters.
 */
public final class CounterFamily {

    private static final Set<String> VERIFIED = Set.of("ip", "principal", "server", Subject.NONE);

    /** How freely callers can choose the subjects that counters are told by. */
    public enum Origin {
        /** They write what they like, and so have as many counters as they like. */
        MADE_UP,
        /** The application gives them sessions, as many as they ask for. */
        SESSION,
        /** Where they call from, or who was verified to call. */
        VERIFIED
    }

    final Identity identity;
    /** The families that go on with each other's counters. */
    public final Series series;
    /** The freest of the sources of its subjects. */
    public final Origin origin;
    /** The time that windows are cut by. */
    public final LongSupplier clockMillis;

    /** Copied from the identity to save a dereference. */
    public final Tier tier;
    /** The figures and the arithmetic of its counters. */
    public final CompiledLimit compiledLimit;
    /** Copied from the series to save a dereference. */
    public final int hash;

    public CounterFamily(Identity identity, Series series, LongSupplier clockMillis, CompiledLimit compiledLimit) {
        this.identity = identity;
        this.series = series;
        this.clockMillis = clockMillis;
        this.tier = identity.tier();
        this.compiledLimit = compiledLimit;
        this.hash = series.hash;
        this.origin = identity.sources().stream()
                .map(CounterFamily::origin)
                .min(Comparator.naturalOrder())
                .orElse(Origin.VERIFIED);
    }

    /**
     * What makes a family.
     *
     * @param endpoint the endpoint's id
     * @param method the counted method, {@code *} for all together
     * @param tier the tier
     * @param names the subjects, as in {@code per}
     * @param sources for each subject, the source that yielded the value
     */
    public record Identity(String endpoint, String method, Tier tier, List<String> names, List<String> sources) {}

    /**
     * How freely callers choose what this source tells them by. What the application sets or finds out itself counts as
     * made up, since it may be what the caller says.
     */
    private static Origin origin(String name) {
        String source = SubjectSource.plainName(name);
        if (source.equals("session")) {
            return Origin.SESSION;
        }
        return VERIFIED.contains(source) || source.startsWith("claim:") ? Origin.VERIFIED : Origin.MADE_UP;
    }

    /**
     * All families that count the same calls in the same way, and differ in how much their limits allow. At a time one
     * of them holds a caller's counter; where definitions are replaced, it passes to another, with what is counted in
     * it. Counters that are shared go on in the store instead: each of their families has a series of its own.
     */
    public static final class Series {

        /**
         * Gives the order in which a call holds its parts of several counters, which are all of different series;
         * unique in the limiter.
         */
        public final long number;
        /** Mixed well, since it is the larger part of each counter's hash. */
        final int hash;

        public Series(Kind kind, long number) {
            this.number = number;
            this.hash = kind.hashCode() * 0x9E3779B9;
        }
    }

    /**
     * What makes a series.
     *
     * @param tier its name
     * @param frames of a sliding window
     * @param queues whether calls wait for their turn
     * @param isFleetWide whether calls under way are counted for all instances together
     */
    public record Kind(
            String endpoint,
            String method,
            String tier,
            String algorithm,
            Duration period,
            int frames,
            boolean queues,
            boolean isFleetWide,
            List<String> names,
            List<String> sources) {

        public static Kind of(Identity identity) {
            Limit limit = identity.tier.limit();
            return new Kind(
                    identity.endpoint,
                    identity.method,
                    identity.tier.name(),
                    limit.algorithm(),
                    limit.period(),
                    limit instanceof Limit.SlidingWindow window ? window.subWindows() : 0,
                    limit instanceof Limit.LeakyBucket bucket && bucket.queue() > 0,
                    !(limit instanceof Limit.Concurrency places) || places.scope() == Limit.Concurrency.Scope.FLEET,
                    identity.names,
                    identity.sources);
        }
    }

    /** Who is counted, given the value of one subject or the list of the values of several. */
    public List<Subject> subjects(Object values) {
        List<?> list = values instanceof List<?> several ? several : List.of(values);
        List<Subject> subjects = new ArrayList<>(list.size());
        for (int i = 0; i < list.size(); i++) {
            subjects.add(new Subject(identity.names().get(i), identity.sources().get(i), (String) list.get(i)));
        }
        return new CallerSubjects(identity.endpoint(), subjects);
    }

    /** The name of a counter at that moment, with its window where time is cut into such. */
    public CounterKey keyAt(List<Subject> subjects, long nowMillis) {
        boolean cut = compiledLimit.isCutIntoWindows();
        long start = cut ? FixedWindow.startOf(nowMillis, compiledLimit.lengthMillis) : 0;
        long end = cut ? start + compiledLimit.lengthMillis : 0;
        return new CounterKey(identity.endpoint(), identity.method(), tier.name(), subjects, start, end);
    }
}
