package dev.sluice.internal.page;

import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.limits.Client;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SubjectSource;
import dev.sluice.tier.Tier;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The clients and endpoints whose limits a reload might have changed. Immutable. */
final class ChangedLimits {

    private final boolean mayBeAll;
    /** The endpoints whose tiers are unchanged. */
    private final Set<String> unchangedEndpoints = new HashSet<>();
    /** The clients whose overrides have changed. */
    private final Set<Named> changedOverrides = new HashSet<>();

    /** A client at an endpoint, identified by the value of one subject. */
    private record Named(String endpoint, String subject, String value) {}

    ChangedLimits(Limits before, Limits now) {
        mayBeAll = !before.clients().equals(now.clients()) || !sources(before).equals(sources(now));
        Map<String, List<Tier>> tiers =
                before.endpoints().stream().collect(Collectors.toMap(Endpoint::id, Endpoint::tiers));
        now.endpoints().stream()
                .filter(endpoint -> endpoint.tiers().equals(tiers.get(endpoint.id())))
                .forEach(endpoint -> unchangedEndpoints.add(endpoint.id()));
        addMissing(before.overrides(), now.overrides());
        addMissing(now.overrides(), before.overrides());
    }

    /**
     * Returns the source names of each subject. We compare names instead of source objects, because each reload creates
     * new objects.
     */
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
                .forEach(client -> places(client)
                        .forEach(endpoint -> client.who()
                                .forEach((subject, values) -> values.forEach(
                                        value -> changedOverrides.add(new Named(endpoint, subject, value))))));
    }

    private static Set<String> places(Client override) {
        return override.endpoints().isEmpty()
                ? Set.of(ClientOverride.ALL_ENDPOINTS)
                : override.endpoints().keySet();
    }

    /** Whether the limits of this caller at this endpoint might have changed. */
    boolean concern(String endpoint, List<Subject> caller) {
        return mayBeAll
                || !unchangedEndpoints.contains(endpoint)
                || caller.stream()
                        .anyMatch(subject -> Stream.of(endpoint, ClientOverride.ALL_ENDPOINTS)
                                .anyMatch(place ->
                                        changedOverrides.contains(new Named(place, subject.name(), subject.value()))))
                || changedOverrides.stream()
                        .anyMatch(one -> one.subject.equals(ClientOverride.PLAN) // any caller might be on this plan
                                && (one.endpoint.equals(endpoint)
                                        || one.endpoint.equals(ClientOverride.ALL_ENDPOINTS)));
    }
}
