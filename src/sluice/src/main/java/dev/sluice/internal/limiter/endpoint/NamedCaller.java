package dev.sluice.internal.limiter.endpoint;

import dev.sluice.Call;
import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.internal.limiter.counter.CounterFamilies;
import dev.sluice.internal.match.caller.SecretDigest;
import dev.sluice.internal.match.path.EndpointPaths;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Plans;
import dev.sluice.limits.SubjectSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A caller identified by the values of its subjects, without a call. To find its counters at an endpoint, this class
 * recompiles the endpoint with sources that provide those values. Because compiling takes time, this class must not be
 * used for every call.
 *
 * @param values the values, keyed by subject name; a secret value may also be given as its hash
 * @param plan the name of the plan that a source would provide for the caller; empty if no source provides one
 */
public record NamedCaller(Map<String, String> values, String plan) {

    private static final int NO_SOURCE = -1;

    /**
     * The combination of a caller and an endpoint. It determines which counters count the caller's calls.
     *
     * @param endpoint the endpoint as it applies to this caller
     * @param caller the caller as one combination of sources identifies it
     */
    public record AtEndpoint(CompiledEndpoint endpoint, CompiledEndpoint.Caller caller) {}

    /**
     * Returns the counters that count the caller's calls at an endpoint. The set contains one element for each method
     * and each combination of sources that could provide the caller's values.
     */
    public Set<AtEndpoint> at(Endpoint endpoint, Limits limits, CounterFamilies families) {
        Set<AtEndpoint> all = new LinkedHashSet<>();
        Set<String> methods = endpoint.methods().isEmpty() ? Set.of("*") : endpoint.methods();
        for (Map<String, Integer> sources : combinations(limits)) {
            Limits found = foundBy(sources, limits);
            EndpointCompiler compiler = new EndpointCompiler(found, families, families.latestLimits());
            for (String method : methods) {
                for (CompiledEndpoint one : compiled(compiler, found, endpoint, method)) {
                    all.add(new AtEndpoint(one, one.caller(Nowhere.CALL)));
                }
            }
        }
        return all;
    }

    private static List<CompiledEndpoint> compiled(
            EndpointCompiler compiler, Limits limits, Endpoint endpoint, String method) {
        CompiledEndpoint everybody =
                compiler.make(endpoint, EndpointPaths.ANY, method, false); // no source reads the path here
        Clients clients = new Clients(limits, compiler);
        return clients.applied(List.of(clients.withVariants(everybody, method)), Nowhere.CALL).stream()
                .map(Clients.Applied::compiledEndpoint)
                .toList();
    }

    /**
     * Returns the combinations of sources that could provide the caller's values. Each combination maps a subject to
     * the index of its source.
     */
    private List<Map<String, Integer>> combinations(Limits limits) {
        List<Map<String, Integer>> combinations = List.of(Map.of());
        for (String name : values.keySet()) {
            int sources = limits.subjects().getOrDefault(name, List.of()).size();
            int first = value(name).isEmpty() ? NO_SOURCE : 0;
            int end = value(name).isEmpty() ? 0 : sources;
            List<Map<String, Integer>> longer = new ArrayList<>();
            for (Map<String, Integer> combination : combinations) {
                for (int source = first; source < end; source++) {
                    Map<String, Integer> with = new HashMap<>(combination);
                    with.put(name, source);
                    longer.add(with);
                }
            }
            combinations = longer;
        }
        return combinations;
    }

    private String value(String subject) {
        return values.getOrDefault(subject, "");
    }

    /**
     * Returns a copy of the limits in which the given sources provide the caller's values for every call. All other
     * sources provide no values.
     */
    private Limits foundBy(Map<String, Integer> sources, Limits limits) {
        Map<String, List<SubjectSource>> subjects = new LinkedHashMap<>();
        limits.subjects().forEach((name, chain) -> subjects.put(name, foundBy(sources, name, chain)));
        Plans plans = limits.plans();
        Plans.Directory directory = plans.directory();
        return new Limits(
                limits.endpoints(),
                subjects,
                limits.caseSensitive(),
                limits.maximumCounters(),
                limits.responses(),
                limits.sharing(),
                limits.clients(),
                limits.overrides(),
                limits.pendingCalls(),
                new Plans(
                        plans.byName(),
                        plans.byDefault(),
                        plans.claimed().stream()
                                .map(source -> source.withResolver(call -> plan))
                                .toList(),
                        directory == null
                                ? null
                                : new Plans.Directory(
                                        directory.subject(),
                                        foundBy(sources, directory.subject(), directory.chain()),
                                        directory.from(),
                                        directory.clients()),
                        plans.names()));
    }

    private List<SubjectSource> foundBy(Map<String, Integer> sources, String name, List<SubjectSource> chain) {
        int chosen = sources.getOrDefault(name, NO_SOURCE);
        List<SubjectSource> found = new ArrayList<>();
        for (SubjectSource source : chain) {
            found.add(yielding(source, found.size() == chosen ? value(name) : null));
        }
        return found;
    }

    /**
     * Returns a copy of a source that provides the given value. The {@code ip} source, which groups network addresses,
     * and the {@code server} source keep their resolvers.
     */
    private static SubjectSource yielding(SubjectSource source, @Nullable String value) {
        return switch (SubjectSource.plainName(source.name())) {
            case Subject.SERVER -> source;
            case "ip" ->
                source.withResolver(
                        call -> value == null ? null : source.resolver().resolve(new Nowhere(value)));
            default -> (isKey(source, value) ? knownByKeys(source) : source).withResolver(call -> value);
        };
    }

    /**
     * Whether the value of a secret source is the hash by which the caller is counted, rather than the secret itself.
     */
    private static boolean isKey(SubjectSource source, @Nullable String value) {
        return value != null && source.isSecret() && SecretDigest.isHash(value);
    }

    private static SubjectSource knownByKeys(SubjectSource source) {
        return new SubjectSource(
                source.name(), source.resolver(), key -> key, source.needsAuthentication(), source.isTrusted());
    }

    /** A call that has only an address. */
    private record Nowhere(String ip) implements Call {

        static final Call CALL = new Nowhere("");

        @Override
        public String method() {
            return "GET";
        }

        @Override
        public String path() {
            return "/";
        }
    }
}
