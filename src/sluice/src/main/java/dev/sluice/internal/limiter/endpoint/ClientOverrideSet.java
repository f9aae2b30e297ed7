package dev.sluice.internal.limiter.endpoint;

import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.limits.Client;
import dev.sluice.limits.Plan;
import dev.sluice.tier.Tier;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The overrides of a client or a plan. Clients with equal overrides share one object, so that their endpoints are
 * compiled only once. Within a snapshot, sets are compared by reference. Immutable and thread-safe.
 */
final class ClientOverrideSet {

    private final Content content;

    private ClientOverrideSet(Content content) {
        this.content = content;
    }

    /** The content of a set of overrides: a client without its identifying values, or a plan, which has no subjects. */
    private record Content(
            List<String> subjects,
            boolean exempt,
            BigDecimal multiply,
            @Nullable Mode mode,
            Map<String, List<Tier>> endpoints) {}

    /** Creates override sets. Equal sets share one object. Not thread-safe. */
    static final class Interner {

        private final Map<Content, ClientOverrideSet> known = new HashMap<>();

        ClientOverrideSet of(Client client) {
            Content content = new Content(
                    client.overriddenPlan() == null ? List.copyOf(client.who().keySet()) : List.of(),
                    client.exempt(),
                    client.multiply().stripTrailingZeros(),
                    client.mode(),
                    client.endpoints());
            return known.computeIfAbsent(content, ClientOverrideSet::new);
        }

        ClientOverrideSet of(Plan plan) {
            Content content = new Content(
                    List.of(), plan.exempt(), plan.multiply().stripTrailingZeros(), plan.mode(), plan.endpoints());
            return known.computeIfAbsent(content, ClientOverrideSet::new);
        }
    }

    boolean isExempt() {
        return content.exempt;
    }

    /** Whether these overrides multiply the existing limits of an endpoint rather than replace them. */
    boolean multiplies(Endpoint endpoint) {
        return content.endpoints.getOrDefault(endpoint.id(), List.of()).isEmpty();
    }

    /** Whether these are the overrides of a plan rather than of individual clients. */
    boolean areOfPlan() {
        return content.subjects.isEmpty();
    }

    /**
     * Whether these overrides could have any effect at the given endpoint. A limit on failed logins protects other
     * people's accounts from this caller. Therefore, such a limit changes only for a client or plan whose settings name
     * the endpoint. Otherwise, an exempt client could guess passwords without limit, and a customer on a large plan
     * could guess more often than other callers.
     */
    boolean changes(Endpoint endpoint) {
        return content.endpoints.containsKey(endpoint.id())
                || (!endpoint.countsFailedLogins()
                        && (content.exempt || content.mode != null || content.multiply.compareTo(BigDecimal.ONE) != 0));
    }

    /**
     * Returns the endpoint as it applies to these clients. A client's limits have a separate counter for each client,
     * even if the endpoint is keyed by other subjects. A plan's limits are keyed by the same subjects as the endpoint,
     * so that a caller can change plans.
     *
     * @param countsAll whether the endpoint counts all callers together. Such a limit protects the service, so clients'
     *     factors do not apply
     */
    Endpoint of(Endpoint endpoint, boolean countsAll) {
        List<Tier> own = multiplies(endpoint) ? null : content.endpoints.get(endpoint.id());
        if (own == null && !countsAll && content.multiply.compareTo(BigDecimal.ONE) != 0) {
            own = endpoint.tiers().stream()
                    .map(tier -> tier.times(content.multiply))
                    .toList();
        }
        return own == null
                ? withModeOnly(endpoint)
                : endpoint.withLimits(union(endpoint.per(), content.subjects), mode(endpoint), own);
    }

    /** Returns the endpoint with its own limits, but with the mode of these overrides. */
    Endpoint withModeOnly(Endpoint endpoint) {
        return endpoint.withLimits(endpoint.per(), mode(endpoint), endpoint.tiers());
    }

    private Mode mode(Endpoint endpoint) {
        return content.mode == null ? endpoint.mode() : content.mode;
    }

    private static List<String> union(Collection<String> some, Collection<String> more) {
        return Stream.concat(some.stream(), more.stream()).distinct().toList();
    }
}
