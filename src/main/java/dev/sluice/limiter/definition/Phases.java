package dev.sluice.limiter.definition;

import dev.sluice.Endpoint;
import dev.sluice.limits.Client;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Phase;
import dev.sluice.limits.SubjectSource;
import dev.sluice.match.condition.DescribedCondition;
import java.util.List;
import java.util.stream.Stream;

/** Tells which definitions need to know who has been authenticated. */
public final class Phases {

    private final Limits limits;

    public Phases(Limits limits) {
        this.limits = limits;
    }

    /**
     * When a definition is asked. One that counts by answers is asked late only if it could not tell callers apart
     * otherwise, since the answers it is after are mostly those of whatever authenticates: clients that are told by who
     * has been authenticated are like everybody there.
     */
    public Phase of(Endpoint endpoint) {
        boolean late = needsAuthentication(endpoint.per())
                || DescribedCondition.sources(endpoint.when()).anyMatch(SubjectSource::needsAuthentication)
                || (!endpoint.countsByAnswer() && clientsOf(endpoint).anyMatch(this::isToldLate));
        return late ? Phase.AFTER_AUTHENTICATION : Phase.BEFORE_AUTHENTICATION;
    }

    private Stream<Client> clientsOf(Endpoint endpoint) {
        return Stream.concat(
                limits.clients().stream(),
                limits.overrides().stream().filter(client -> client.endpoints().containsKey(endpoint.id())));
    }

    private boolean isToldLate(Client client) {
        return needsAuthentication(List.copyOf(client.who().keySet()));
    }

    private boolean needsAuthentication(List<String> subjects) {
        return subjects.stream()
                .flatMap(name -> limits.subjects().getOrDefault(name, List.of()).stream())
                .anyMatch(SubjectSource::needsAuthentication);
    }
}
