package dev.sluice.internal.limiter.counter;

import dev.sluice.CallerSubjects;
import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.internal.limiter.block.CallerBlocks;
import dev.sluice.limits.Origin;
import dev.sluice.limits.SubjectSource;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one tier, method and combination of sources. A family is a counter's identity without the values of
 * its subjects. A limiter has one object for each identity, so families are compared by reference. Existing families
 * and their counters survive a reload. Thread-safe.
 */
public final class CounterFamily {

    final Identity identity;
    private final Function<Object, CallerSubjects> callers;
    /**
     * The series to which this family belongs. A counter can replace another if their families belong to the same
     * series.
     */
    public final Series series;
    /** The least trustworthy origin among the family's subjects. */
    public final Origin origin;
    /** Whether each counter counts the login attempts that use one name. */
    public final boolean isPerLogin;
    /** Whether all callers of an instance share one counter. */
    public final boolean isOfEverybody;
    /** The clock to which windows are aligned. */
    public final LongSupplier clockMillis;

    /** The tier from the family's identity; copied to save a memory access. */
    public final Tier tier;
    /** The compiled limit of the family's counters. */
    public final CompiledLimit compiledLimit;
    /** The callers that the tier has blocked; {@code null} if the tier never blocks callers. */
    public final @Nullable CallerBlocks blocks;
    /** The hash of the series; copied to save a memory access. */
    public final int hash;

    CounterFamily(
            Identity identity,
            Series series,
            LongSupplier clockMillis,
            CompiledLimit compiledLimit,
            @Nullable CallerBlocks blocks) {
        this.identity = identity;
        this.callers = CallerSubjects.of(identity.endpoint(), identity.names(), identity.sources());
        this.series = series;
        this.clockMillis = clockMillis;
        this.tier = identity.tier();
        this.compiledLimit = compiledLimit;
        this.blocks = blocks;
        this.hash = series.hash;
        this.origin = Origin.of(identity.sources());
        this.isPerLogin = identity.sources().contains(SubjectSource.LOGIN);
        this.isOfEverybody = identity.sources().stream().allMatch(Subject.SERVER::equals);
    }

    /**
     * The identity of a family.
     *
     * @param endpoint the endpoint's id
     * @param method the method of the calls; {@code *} if all methods share the counter
     * @param tier the tier
     * @param names the names of the subjects, as in {@code per}
     * @param sources the source of each subject's value
     */
    public record Identity(String endpoint, String method, Tier tier, List<String> names, List<String> sources) {}

    /**
     * A group of families whose counter keys are equal except for the window. A caller has a counter in at most one
     * family of a series, both in memory and in the store. When the limits are replaced, the caller moves to a
     * different family of the series. The caller's count also moves if both families count in the same way.
     */
    public static final class Series {

        /**
         * The position of the series in the order in which a call borrows from several counters. The counters of one
         * call always belong to different series. The number is unique within the limiter.
         */
        public final long number;
        /** The hash of the series. It is well mixed, because it forms the larger part of each counter's hash. */
        final int hash;

        Series(SeriesKey key, long number) {
            this.number = number;
            this.hash = key.hashCode() * 0x9E3779B9;
        }
    }

    /** The identity of a series: a counter's key without the values and the window. */
    record SeriesKey(String endpoint, String method, String tier, List<String> names, List<String> sources) {

        static SeriesKey of(Identity identity) {
            return new SeriesKey(
                    identity.endpoint, identity.method, identity.tier.name(), identity.names, identity.sources);
        }
    }

    /** Whether both families count in the same way. They can differ in the number of calls that they allow. */
    public boolean countsLike(CounterFamily other) {
        Limit limit = tier.limit();
        Limit others = other.tier.limit();
        return limit.algorithm() == others.algorithm()
                && limit.period().equals(others.period())
                && Objects.equals(limit.windows(), others.windows())
                && limit.frames() == others.frames()
                && limit.hasQueue() == others.hasQueue()
                && limit.isFleetWide() == others.isFleetWide();
    }

    /**
     * Returns the subjects with the given values. The parameter is a single value for one subject, or a list of values
     * for several subjects.
     */
    public List<Subject> subjects(Object values) {
        return callers.apply(values);
    }

    /** Returns the key of a counter, without a window. */
    public CounterKey key(List<Subject> subjects) {
        return new CounterKey(identity.endpoint(), identity.method(), tier.name(), subjects, 0, 0);
    }

    /** Returns the key of a counter at the given time, including its window if it has windows. */
    public CounterKey keyAt(List<Subject> subjects, long nowMillis) {
        Span span = compiledLimit.spanAt(nowMillis);
        long end = compiledLimit.hasWindows ? span.end() : 0;
        return new CounterKey(identity.endpoint(), identity.method(), tier.name(), subjects, span.start(), end);
    }
}
