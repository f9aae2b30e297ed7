package dev.sluice.limiter.definition;

import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.limits.Client;
import dev.sluice.tier.Tier;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is other for a client than for everybody. Clients for whom the same is other share one object, so that what is
 * compiled for them is compiled once; within a snapshot, sets are compared by reference.
 */
final class ClientOverrideSet {

    private final Terms terms;

    private ClientOverrideSet(Terms terms) {
        this.terms = terms;
    }

    /** What makes a set: all of a client but its name. */
    private record Terms(
            List<String> subjects,
            boolean exempt,
            BigDecimal multiply,
            @Nullable Mode mode,
            Map<String, List<Tier>> endpoints) {}

    /** Finds the override sets of clients, one object for all who share it. */
    static final class Interner {

        private final Map<Terms, ClientOverrideSet> known = new HashMap<>();

        ClientOverrideSet of(Client client) {
            Terms terms = new Terms(
                    List.copyOf(client.who().keySet()),
                    client.exempt(),
                    client.multiply().stripTrailingZeros(),
                    client.mode(),
                    client.endpoints());
            return known.computeIfAbsent(terms, ClientOverrideSet::new);
        }
    }

    boolean isExempt() {
        return terms.exempt;
    }

    /** Whether this definition may be another. */
    boolean concerns(Endpoint endpoint) {
        return terms.exempt
                || terms.mode != null
                || terms.multiply.compareTo(BigDecimal.ONE) != 0
                || terms.endpoints.containsKey(endpoint.id());
    }

    /**
     * The definition as it is for these clients. Limits of their own are counted for each of them apart, also where
     * everybody is counted by other subjects.
     *
     * @param countsAll whether the definition counts all callers together: it then protects the service, and is
     *     nobody's to multiply
     */
    Endpoint of(Endpoint endpoint, boolean countsAll) {
        List<Tier> own = terms.endpoints.get(endpoint.id());
        if (own == null && !countsAll && terms.multiply.compareTo(BigDecimal.ONE) != 0) {
            own = endpoint.tiers().stream()
                    .map(tier -> tier.times(terms.multiply))
                    .toList();
        }
        return own == null
                ? modeOf(endpoint)
                : endpoint.with(union(endpoint.per(), terms.subjects), mode(endpoint), own);
    }

    /** The definition with no more of theirs than the mode. */
    Endpoint modeOf(Endpoint endpoint) {
        return endpoint.with(endpoint.per(), mode(endpoint), endpoint.tiers());
    }

    private Mode mode(Endpoint endpoint) {
        return terms.mode == null ? endpoint.mode() : terms.mode;
    }

    private static List<String> union(Collection<String> some, Collection<String> more) {
        return Stream.concat(some.stream(), more.stream()).distinct().toList();
    }
}
