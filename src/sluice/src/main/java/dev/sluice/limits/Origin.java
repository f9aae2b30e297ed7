package dev.sluice.limits;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import java.util.Collection;
import java.util.Comparator;
import java.util.Set;

/**
 * How freely callers can choose the values that identify them. The numbers of counters, blocks and pending calls are
 * bounded, and a part of each is reserved for verified callers. A flood of arbitrary identities therefore cannot occupy
 * all of it. The constants are in eviction order: counters of the first one are evicted first.
 */
public enum Origin {
    /** Callers choose the values freely, so a single caller can appear as any number of callers. */
    MADE_UP,
    /** Sessions. The application creates them, but callers can request any number of them. */
    SESSION,
    /** The address of the caller, or a verified identity. */
    VERIFIED;

    private static final Set<String> VERIFIED_SOURCES = Set.of("ip", "principal", Subject.SERVER, Subject.NONE);

    /** The least trustworthy origin among these sources; {@link #VERIFIED} if there are none. */
    public static Origin of(Collection<String> sources) {
        return sources.stream()
                .map(Origin::ofSource)
                .min(Comparator.naturalOrder())
                .orElse(VERIFIED);
    }

    /** The least trustworthy origin among the subjects of a counter. */
    public static Origin of(CounterKey key) {
        return of(key.subjects().stream().map(Subject::source).toList());
    }

    /**
     * The origin of a source's values. Values from the application are treated as freely chosen, because they can come
     * from the caller.
     */
    private static Origin ofSource(String name) {
        String source = SubjectSource.plainName(name);
        if (source.equals("session")) {
            return SESSION;
        }
        return VERIFIED_SOURCES.contains(source) || source.startsWith("claim:") ? VERIFIED : MADE_UP;
    }
}
