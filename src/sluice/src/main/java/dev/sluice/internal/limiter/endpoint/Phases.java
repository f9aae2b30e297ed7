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
 * <p>An endpoint's phase depends only on the endpoint itself. If it also depended on clients or plans, a single client
 * with a {@code principal} would move the limits on logins to the phase after authentication. These limits would then
 * no longer count failed logins, because authentication itself responds to failed logins.
 */
public final class Phases {

    private final Limits limits;

    public Phases(Limits limits) {
        this.limits = limits;
    }

    /**
     * Returns the phase of an endpoint. An endpoint decides after authentication if it could not identify callers or
     * evaluate its condition earlier.
     */
    public Phase of(Endpoint endpoint) {
        boolean late = needsAuthentication(endpoint.per())
                || DescribedCondition.sources(endpoint.when()).anyMatch(SubjectSource::needsAuthentication);
        return late ? Phase.AFTER_AUTHENTICATION : Phase.BEFORE_AUTHENTICATION;
    }

    /** Whether authentication identifies any client, or provides the plan of any caller. */
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
