package dev.sluice.limits;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import java.util.Collection;
import java.util.Comparator;
import java.util.Set;

/**
 * How freely callers can choose the values that identify them. The numbers of counters, blocks and pending calls are
 * bounded, and part of each capacity is reserved for verified callers. A flood of spoofed identities therefore cannot
 * exhaust the whole capacity. The constants are listed in eviction order: counters of the first constant are evicted
 * first.
 */
public enum Origin {
    /** Callers choose their values freely, so a single caller can pose as any number of callers. */
    MADE_UP,
    /** The values are sessions. The application creates them, but callers can request any number of sessions. */
    SESSION,
    /** The value is the caller's address or a verified identity. */
    VERIFIED;

    private static final Set<String> VERIFIED_SOURCES = Set.of("ip", "principal", Subject.SERVER, Subject.NONE);

    /** Returns the least trustworthy origin among these sources; {@link #VERIFIED} if there are no sources. */
    public static Origin of(Collection<String> sources) {
        return sources.stream()
                .map(Origin::ofSource)
                .min(Comparator.naturalOrder())
                .orElse(VERIFIED);
    }

    /** Returns the least trustworthy origin among the subjects of a counter. */
    public static Origin of(CounterKey key) {
        return of(key.subjects().stream().map(Subject::source).toList());
    }

    /**
     * Returns the origin of a source's values. Values that the application supplies are treated as freely chosen,
     * because the application might have received them from the caller.
     */
    private static Origin ofSource(String name) {
        String source = SubjectSource.plainName(name);
        if (source.equals("session")) {
            return SESSION;
        }
        return VERIFIED_SOURCES.contains(source) || source.startsWith("claim:") ? VERIFIED : MADE_UP;
    }
}
