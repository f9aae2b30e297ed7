package dev.sluice.internal.limiter.counter;

import dev.sluice.CallerSubjects;
import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.internal.limiter.block.CallerBlocks;
import dev.sluice.limits.SubjectSource;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one tier, method and combination of sources: all of a counter's identity but the subjects' values.
 * One object per identity within a limiter, so families are compared by reference. A reload keeps existing families,
 * with their counters.
 */
public final class CounterFamily {

    private static final Set<String> VERIFIED = Set.of("ip", "principal", "server", Subject.NONE);

    /** How freely callers can choose the values that counters are identified by. */
    public enum Origin {
        /** Callers choose them freely, and so can create any number of counters. */
        MADE_UP,
        /** The application creates sessions, as many as callers ask for. */
        SESSION,
        /** The caller's address, or a verified identity. */
        VERIFIED
    }

    final Identity identity;
    private final Function<Object, CallerSubjects> callers;
    /** The families that continue each other's counters. */
    public final Series series;
    /** The least trustworthy origin of its subjects. */
    public final Origin origin;
    /** The time that windows are aligned to. */
    public final LongSupplier clockMillis;

    /** Copied from the identity to save a dereference. */
    public final Tier tier;
    /** The compiled limit of its counters. */
    public final CompiledLimit compiledLimit;
    /** The callers that its tier has blocked; {@code null} if it blocks nobody. */
    public final @Nullable CallerBlocks blocks;
    /** Copied from the series to save a dereference. */
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
        this.origin = identity.sources().stream()
                .map(CounterFamily::origin)
                .min(Comparator.naturalOrder())
                .orElse(Origin.VERIFIED);
    }

    /**
     * The identity of a family.
     *
     * @param endpoint the endpoint's id
     * @param method the counted method, {@code *} for all methods together
     * @param tier the tier
     * @param names the subjects, as in {@code per}
     * @param sources for each subject, the source that yielded the value
     */
    public record Identity(String endpoint, String method, Tier tier, List<String> names, List<String> sources) {}

    /**
     * The origin of a source's values. What the application provides counts as made up, since it may come from the
     * caller.
     */
    private static Origin origin(String name) {
        String source = SubjectSource.plainName(name);
        if (source.equals("session")) {
            return Origin.SESSION;
        }
        return VERIFIED.contains(source) || source.startsWith("claim:") ? Origin.VERIFIED : Origin.MADE_UP;
    }

    /**
     * Families whose counters have the same keys, apart from their windows. A caller has a counter in at most one of them,
     * in memory and in the store; when the limits are replaced, it moves to another family, with its count if both count
     * in the same way.
     */
    public static final class Series {

        /**
         * The order in which a call borrows from several counters, which always belong to different series; unique in the
         * limiter.
         */
        public final long number;
        /** Well mixed, since it is the larger part of each counter's hash. */
        final int hash;

        Series(SeriesKey key, long number) {
            this.number = number;
            this.hash = key.hashCode() * 0x9E3779B9;
        }
    }

    /** The identity of a series: all of a counter's key but the values and the window. */
    record SeriesKey(String endpoint, String method, String tier, List<String> names, List<String> sources) {

        static SeriesKey of(Identity identity) {
            return new SeriesKey(
                    identity.endpoint, identity.method, identity.tier.name(), identity.names, identity.sources);
        }
    }

    /** Whether both count in the same way, and differ only in how much they allow. */
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

    /** The subjects for the value of one subject or the list of values of several. */
    public List<Subject> subjects(Object values) {
        return callers.apply(values);
    }

    /** The key of a counter in any window. */
    public CounterKey key(List<Subject> subjects) {
        return new CounterKey(identity.endpoint(), identity.method(), tier.name(), subjects, 0, 0);
    }

    /** The key of a counter at this time, with its window if it has windows. */
    public CounterKey keyAt(List<Subject> subjects, long nowMillis) {
        Span span = compiledLimit.spanAt(nowMillis);
        long end = compiledLimit.hasWindows ? span.end() : 0;
        return new CounterKey(identity.endpoint(), identity.method(), tier.name(), subjects, span.start(), end);
    }
}
