package dev.sluice.page;

import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.limits.Client;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SubjectSource;
import dev.sluice.tier.Tier;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Whose limits may be others than before, and at which endpoints. */
final class ChangedLimits {

    private final boolean maybeAll;
    /** Those whose tiers are as they were. */
    private final Set<String> sameEndpoints = new HashSet<>();
    /** Whose limits outside the file are others. */
    private final Set<Named> others = new HashSet<>();

    /** A client at an endpoint, by the value of one subject. */
    private record Named(String endpoint, String subject, String value) {}

    ChangedLimits(Limits before, Limits now) {
        maybeAll = !before.clients().equals(now.clients()) || !sources(before).equals(sources(now));
        Map<String, List<Tier>> tiers =
                before.endpoints().stream().collect(Collectors.toMap(Endpoint::id, Endpoint::tiers));
        now.endpoints().stream()
                .filter(endpoint -> endpoint.tiers().equals(tiers.get(endpoint.id())))
                .forEach(endpoint -> sameEndpoints.add(endpoint.id()));
        addMissing(before.overrides(), now.overrides());
        addMissing(now.overrides(), before.overrides());
    }

    /** By their names: each reload makes them anew. */
    private static Map<String, List<String>> sources(Limits limits) {
        return limits.subjects().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        subject -> subject.getValue().stream()
                                .map(SubjectSource::name)
                                .toList()));
    }

    private void addMissing(List<Client> these, List<Client> among) {
        Set<Client> known = new HashSet<>(among);
        these.stream()
                .filter(client -> !known.contains(client))
                .forEach(client -> client.endpoints()
                        .keySet()
                        .forEach(endpoint -> client.who()
                                .forEach((subject, values) ->
                                        values.forEach(value -> others.add(new Named(endpoint, subject, value))))));
    }

    /** Whether the limits of this caller at this endpoint may be others. */
    boolean concern(String endpoint, List<Subject> caller) {
        return maybeAll
                || !sameEndpoints.contains(endpoint)
                || caller.stream()
                        .anyMatch(subject -> others.contains(new Named(endpoint, subject.name(), subject.value())));
    }
}
