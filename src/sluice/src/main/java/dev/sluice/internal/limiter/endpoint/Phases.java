package dev.sluice.internal.limiter.endpoint;

import dev.sluice.Endpoint;
import dev.sluice.Phase;
import dev.sluice.internal.match.condition.DescribedCondition;
import dev.sluice.limits.Client;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SubjectSource;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * Assigns endpoints to phases: before or after authentication. Thread-safe.
 *
 * <p>The phase of an endpoint depends on the endpoint alone. If it also depended on clients or plans, a single client
 * by {@code principal} would move the limits of logins behind the authentication. The authentication answers failed
 * logins itself, so they would not be counted any more.
 */
public final class Phases {

    private final Limits limits;

    public Phases(Limits limits) {
        this.limits = limits;
    }

    /**
     * The phase of an endpoint. It is after authentication if the endpoint could not identify callers or check its
     * condition before.
     */
    public Phase of(Endpoint endpoint) {
        boolean late = needsAuthentication(endpoint.per())
                || DescribedCondition.sources(endpoint.when()).anyMatch(SubjectSource::needsAuthentication);
        return late ? Phase.AFTER_AUTHENTICATION : Phase.BEFORE_AUTHENTICATION;
    }

    /** Whether authentication identifies some client, or yields the plan of some caller. */
    boolean identifyClients() {
        return limits.plans().sources().anyMatch(SubjectSource::needsAuthentication)
                || Stream.concat(limits.clients().stream(), limits.overrides().stream())
                        .map(Client::who)
                        .anyMatch(who -> needsAuthentication(who.keySet()));
    }

    private boolean needsAuthentication(Collection<String> subjects) {
        return subjects.stream()
                .flatMap(name -> limits.subjects().getOrDefault(name, List.of()).stream())
                .anyMatch(SubjectSource::needsAuthentication);
    }
}
