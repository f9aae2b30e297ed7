package dev.sluice.internal.limiter.endpoint;

import dev.sluice.Cost;
import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.internal.limiter.counter.CounterFamilies;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.match.caller.SubjectSources;
import dev.sluice.internal.match.condition.DescribedCondition;
import dev.sluice.internal.match.path.EndpointPaths;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SubjectSource;
import dev.sluice.tier.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The compiler for the endpoints of one snapshot. It compiles endpoints when the limits are loaded, and when the first
 * call of a client with overrides arrives. Thread-safe.
 */
final class EndpointCompiler {

    private final Limits limits;
    private final CounterFamilies families;
    private final int limitsNumber;
    /** All sources that identify clients or provide their plans. */
    private final List<SubjectSource> sourcesOfClients;
    /** The compiled chains, keyed by their sources. Equal chains share one object. */
    private final Map<List<SubjectSource>, SubjectChain> known = new ConcurrentHashMap<>();

    EndpointCompiler(Limits limits, CounterFamilies families, int limitsNumber) {
        this.limits = limits;
        this.families = families;
        this.limitsNumber = limitsNumber;
        Stream<SubjectSource> identifying = Stream.concat(limits.clients().stream(), limits.overrides().stream())
                .flatMap(client -> client.who().keySet().stream())
                .distinct()
                .flatMap(name -> limits.subjects().getOrDefault(name, List.of()).stream());
        this.sourcesOfClients =
                Stream.concat(identifying, limits.plans().sources()).toList();
    }

    /**
     * Compiles an endpoint for one method. A caller can be blocked only if a trusted source has identified it.
     * Unidentified callers are never blocked as a group, and no caller is blocked because of a name that a different
     * caller could have sent.
     *
     * @param method the method of the calls; {@code *} if all methods share the counter
     * @param exempt whether the callers of the endpoint are exempt
     */
    CompiledEndpoint make(Endpoint endpoint, EndpointPaths paths, String method, boolean exempt) {
        List<List<SubjectSource>> chains = chains(endpoint, paths);
        List<List<String>> combinations = combinations(chains);
        CounterFamily[][] compiled =
                new CounterFamily[combinations.size()][endpoint.tiers().size()];
        for (int i = 0; i < compiled.length; i++) {
            for (int t = 0; t < compiled[i].length; t++) {
                Tier tier = endpoint.tiers().get(t);
                boolean fits = tier.block() == null || mayBlock(combinations.get(i), chains);
                compiled[i][t] = families.of(new CounterFamily.Identity(
                        endpoint.id(),
                        method,
                        fits ? tier : tier.withBlock(null),
                        endpoint.per(),
                        combinations.get(i)));
            }
        }
        return new CompiledEndpoint(
                endpoint,
                limitsNumber,
                paths,
                dependsOnReading(endpoint, paths, chains),
                chains.stream().map(this::compiled).toList(),
                compiled,
                exempt,
                limits.responses().headers().hasFieldsOfDraft());
    }

    /** Whether a trusted source identifies callers with this combination of sources. */
    private static boolean mayBlock(List<String> combination, List<List<SubjectSource>> chains) {
        return chains.stream()
                .flatMap(List::stream)
                .anyMatch(source -> source.isTrusted() && combination.contains(source.name()));
    }

    /**
     * Whether the caller, its client, the cost of the call or the applicability of the endpoint depends on how the path
     * is interpreted.
     */
    private boolean dependsOnReading(Endpoint endpoint, EndpointPaths paths, List<List<SubjectSource>> chains) {
        Set<String> variables = paths.variables();
        return Stream.of(
                                chains.stream().flatMap(List::stream),
                                DescribedCondition.sources(endpoint.when()),
                                sourcesOfClients.stream())
                        .flatMap(sources -> sources)
                        .anyMatch(source -> SubjectSources.dependsOnReading(source, variables))
                || isOfApplication(endpoint.cost());
    }

    /** Whether the application determines the cost of a call, possibly from its query. */
    private static boolean isOfApplication(Cost cost) {
        boolean isSource = cost.name().contains(":");
        return cost.each() == 0 && cost.settling() != Cost.Settling.CHARGED && !isSource;
    }

    private SubjectChain compiled(List<SubjectSource> chain) {
        return known.computeIfAbsent(chain, SubjectChain::new);
    }

    /** Whether an endpoint counts all callers together. */
    boolean countsAll(Endpoint endpoint) {
        return endpoint.per().stream()
                .flatMap(name -> chain(endpoint, name).stream())
                .allMatch(source -> source.name().equals(Subject.SERVER));
    }

    private List<List<SubjectSource>> chains(Endpoint endpoint, EndpointPaths paths) {
        return endpoint.per().stream()
                .map(name -> chain(endpoint, name).stream()
                        .map(source -> SubjectSources.bind(source, paths))
                        .toList())
                .toList();
    }

    private List<SubjectSource> chain(Endpoint endpoint, String name) {
        return Objects.requireNonNull(
                limits.subjects().get(name), () -> endpoint.id() + ": no subject " + name + " is defined");
    }

    /**
     * Returns all combinations of the subjects' sources. The last subject varies fastest. The combinations include
     * chains in which no source finds a value.
     */
    private static List<List<String>> combinations(List<List<SubjectSource>> chains) {
        List<List<String>> combinations = List.of(List.of());
        for (List<SubjectSource> chain : chains) {
            List<List<String>> longer = new ArrayList<>();
            for (List<String> beginning : combinations) {
                for (SubjectSource source : chain) {
                    longer.add(append(beginning, source.name()));
                }
                longer.add(append(beginning, Subject.NONE));
            }
            combinations = longer;
        }
        return combinations;
    }

    private static List<String> append(List<String> names, String last) {
        List<String> longer = new ArrayList<>(names);
        longer.add(last);
        return List.copyOf(longer);
    }
}
