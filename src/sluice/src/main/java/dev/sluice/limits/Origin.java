package dev.sluice.limits;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import java.util.Collection;
import java.util.Comparator;
import java.util.Set;

/**
 * How freely callers can choose the values that identify them. The numbers of counters, blocks and pending calls are
 * bounded. A part of each is reserved for verified callers, so that a flood of made-up callers cannot take all of it.
 * Counters of the first constants are evicted first.
 */
public enum Origin {
    /** Callers choose the values freely, so one of them can appear as any number of callers. */
    MADE_UP,
    /** Sessions. The application creates them, but as many as callers ask for. */
    SESSION,
    /** The address of the caller, or a verified identity. */
    VERIFIED;

    private static final Set<String> VERIFIED_SOURCES = Set.of("ip", "principal", Subject.SERVER, Subject.NONE);

    /** The least trustworthy origin of these sources; {@link #VERIFIED} without sources. */
    public static Origin of(Collection<String> sources) {
        return sources.stream()
                .map(Origin::ofSource)
                .min(Comparator.naturalOrder())
                .orElse(VERIFIED);
    }

    /** The least trustworthy origin of a counter's subjects. */
    public static Origin of(CounterKey key) {
        return of(key.subjects().stream().map(Subject::source).toList());
    }

    /**
     * The origin of a source's values. Values from the application count as made up, since they may come from the
     * caller.
     */
    private static Origin ofSource(String name) {
        String source = SubjectSource.plainName(name);
        if (source.equals("session")) {
            return SESSION;
        }
        return VERIFIED_SOURCES.contains(source) || source.startsWith("claim:") ? VERIFIED : MADE_UP;
    }
}
