package dev.sluice.cli.fleet;

import dev.sluice.CounterKey;
import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.internal.match.caller.SubjectKey;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SubjectSource;
import dev.sluice.tier.Tier;
import dev.sluice.tier.Windows;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Finds the counters that a caller could have at an endpoint at a given moment. The caller is identified by one of its
 * subjects.
 */
public final class PossibleCounters {

    private PossibleCounters() {}

    /** Returns one subject for each source that can yield the caller's value. A call has only one of these subjects. */
    public static List<Subject> subjects(Limits limits, String subject, String value) {
        return limits.subjects().getOrDefault(subject, List.of()).stream()
                .map(SubjectSource::name)
                .map(source -> new Subject(subject, source, SubjectKey.ofNamed(value)))
                .toList();
    }

    /** Returns one counter for each combination of a tier and a method that is counted separately. */
    public static List<StoredUsage.Asked> of(Endpoint endpoint, Subject subject, List<Tier> tiers, long nowMillis) {
        Collection<String> methods = endpoint.methods().isEmpty() ? Set.of("*") : endpoint.methods();
        List<StoredUsage.Asked> asked = new ArrayList<>();
        for (String method : methods.stream().sorted().toList()) {
            for (Tier tier : tiers) {
                if (StoredUsage.isShared(tier)) {
                    CounterKey lasting = new CounterKey(endpoint.id(), method, tier.name(), List.of(subject), 0, 0);
                    asked.add(new StoredUsage.Asked(at(lasting, tier, nowMillis), tier));
                }
            }
        }
        return asked;
    }

    /** Returns the key of the same counter in the window or frame that contains the given moment. */
    public static CounterKey at(CounterKey key, Tier tier, long nowMillis) {
        Windows windows = tier.limit().windows();
        long start = windows == null ? 0 : windows.startAt(nowMillis);
        long end = windows == null ? 0 : windows.endAt(nowMillis);
        return new CounterKey(key.endpoint(), key.method(), key.tier(), key.subjects(), start, end);
    }
}
