package dev.sluice.internal.limiter.endpoint;

import dev.sluice.Endpoint;
import dev.sluice.internal.match.condition.DescribedCondition;
import dev.sluice.limits.Client;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Phase;
import dev.sluice.limits.SubjectSource;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** Assigns endpoints to phases: before or after authentication. Thread-safe. */
public final class Phases {

    private final Limits limits;

    public Phases(Limits limits) {
        this.limits = limits;
    }

    /**
     * The phase of an endpoint. An endpoint that counts by responses is late only if it could not identify callers
     * otherwise, because the responses it counts usually come from the authentication. There, clients that
     * authentication identifies have no overrides, and plans that authentication yields do not apply.
     */
    public Phase of(Endpoint endpoint) {
        boolean late = needsAuthentication(endpoint.per())
                || DescribedCondition.sources(endpoint.when()).anyMatch(SubjectSource::needsAuthentication)
                || (!endpoint.countsByAnswer()
                        && clientsOf(endpoint)
                                .anyMatch(client ->
                                        needsAuthentication(client.who().keySet())))
                || (!endpoint.countsByAnswer()
                        && limits.plans().sources().anyMatch(SubjectSource::needsAuthentication)
                        && limits.plans().byName().values().stream().anyMatch(plan -> plan.concerns(endpoint.id())));
        return late ? Phase.AFTER_AUTHENTICATION : Phase.BEFORE_AUTHENTICATION;
    }

    private Stream<Client> clientsOf(Endpoint endpoint) {
        return Stream.concat(
                limits.clients().stream(),
                limits.overrides().stream()
                        .filter(client -> client.endpoints().isEmpty()
                                || client.endpoints().containsKey(endpoint.id())));
    }

    private boolean needsAuthentication(Collection<String> subjects) {
        return subjects.stream()
                .flatMap(name -> limits.subjects().getOrDefault(name, List.of()).stream())
                .anyMatch(SubjectSource::needsAuthentication);
    }
}
