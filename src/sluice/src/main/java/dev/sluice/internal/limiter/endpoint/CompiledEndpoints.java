package dev.sluice.internal.limiter.endpoint;

import dev.sluice.Call;
import dev.sluice.CounterKey;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.Phase;
import dev.sluice.internal.limiter.counter.CounterFamilies;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.match.path.CallReading;
import dev.sluice.internal.match.path.EndpointPaths;
import dev.sluice.internal.match.path.EndpointTable;
import dev.sluice.internal.match.path.ForwardingCall;
import dev.sluice.limits.Explanation;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Tier;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The compiled endpoints of the limits in force. They form a snapshot that decides a call from beginning to end.
 * Thread-safe.
 *
 * @param limits the limits from which this snapshot was compiled
 * @param tables the table of compiled endpoints for each phase
 * @param onMethods the compiled endpoints for the application's methods, by name; no request matches them
 * @param clients the clients with overrides; {@code null} if there are none
 * @param clientsAreKnownLate whether some clients or plans become known only through authentication
 */
public record CompiledEndpoints(
        Limits limits,
        Map<Phase, EndpointTable<MatchedEndpoints>> tables,
        Map<String, MatchedEndpoints> onMethods,
        @Nullable Clients clients,
        boolean clientsAreKnownLate) {

    private static final String ALL_METHODS = "*";

    /** Compiles limits. Unchanged tiers keep their families, and therefore their counters. */
    public static CompiledEndpoints compile(Limits limits, CounterFamilies families) {
        rejectDuplicateNames(limits.endpoints());
        EndpointCompiler compiler = new EndpointCompiler(limits, families, families.nextLimits());
        Clients clients = limits.clients().isEmpty()
                        && limits.overrides().isEmpty()
                        && limits.plans().byName().isEmpty()
                ? null
                : new Clients(limits, compiler);
        Map<Phase, EndpointTable.Builder<MatchedEndpoints>> tables = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            tables.put(phase, new EndpointTable.Builder<>(limits.caseSensitive(), MatchedEndpoints::and));
        }
        Map<String, MatchedEndpoints> onMethods = new HashMap<>();
        Phases phases = new Phases(limits);
        for (Endpoint endpoint : limits.endpoints()) {
            if (endpoint.mode() != Mode.OFF || (clients != null && clients.mayTurnOn())) {
                EndpointPaths paths = endpoint.on() == null
                        ? EndpointPaths.of(endpoint.pathPatterns(), endpoint.except(), limits.caseSensitive())
                        : EndpointPaths.ANY;
                Map<String, MatchedEndpoints> byMethod = new HashMap<>();
                Function<String, MatchedEndpoints> compileFor = method -> byMethod.computeIfAbsent(method, first -> {
                    CompiledEndpoint everybody = compiler.make(endpoint, paths, first, false);
                    return new MatchedEndpoints.One(
                            clients == null ? everybody : clients.withVariants(everybody, first));
                });
                if (endpoint.on() != null) {
                    onMethods.merge(endpoint.on(), compileFor.apply(ALL_METHODS), MatchedEndpoints::and);
                    continue;
                }
                for (Phase phase : List.of(Phase.WHOLE, phases.of(endpoint))) {
                    Objects.requireNonNull(tables.get(phase)).add(paths.patterns(), endpoint.methods(), compileFor);
                }
            }
        }
        Map<Phase, EndpointTable<MatchedEndpoints>> built = new EnumMap<>(Phase.class);
        tables.forEach((phase, table) -> built.put(phase, table.build()));
        return new CompiledEndpoints(
                limits, built, Map.copyOf(onMethods), clients, clients != null && phases.identifyClients());
    }

    /**
     * Rejects duplicate names in limits that are built in code. Duplicates in a file are reported earlier, with their
     * line numbers.
     */
    private static void rejectDuplicateNames(List<Endpoint> endpoints) {
        Set<String> ids = new HashSet<>();
        for (Endpoint endpoint : endpoints) {
            if (!ids.add(endpoint.id())) {
                throw new IllegalArgumentException(
                        "two endpoints have the id " + endpoint.id() + " and would share their counters");
            }
            List<String> names = endpoint.tiers().stream().map(Tier::name).toList();
            if (Set.copyOf(names).size() < names.size()) {
                throw new IllegalArgumentException("two tiers of endpoint " + endpoint.id()
                        + " have the same name and would share their counters: " + names);
            }
        }
    }

    /** Whether at least one tier is elastic. */
    public boolean isElastic() {
        return limits.tiers().anyMatch(tier -> tier.overage() instanceof Overage.Elastic);
    }

    /** Returns the compiled endpoints that apply to a call; {@code null} if none does. */
    @Nullable public MatchedEndpoints match(Call call, Phase phase) {
        return forCaller(find(call, phase), call);
    }

    /**
     * Returns the endpoints that decided the call before authentication although the authenticated caller has different
     * limits there. Endpoints that count calls by their responses are excluded, because most of them are meant for
     * unauthenticated callers.
     *
     * @param call a call after authentication
     */
    public List<Endpoint> decidedTooEarly(Call call) {
        MatchedEndpoints found = clientsAreKnownLate ? find(call, Phase.BEFORE_AUTHENTICATION) : null;
        return found == null
                ? List.of()
                : found.compiledEndpoints().stream()
                        .filter(one -> !one.endpoint.countsByAnswer())
                        .filter(one -> !limitsOf(call, one).equals(limitsOf(new Stranger(call), one)))
                        .map(one -> one.endpoint)
                        .toList();
    }

    /** Returns the endpoint with this caller's limits; an empty list if the endpoint is off for the caller. */
    private List<CompiledEndpoint> limitsOf(Call call, CompiledEndpoint everybody) {
        return Objects.requireNonNull(clients).applied(List.of(everybody), call).stream()
                .map(Clients.Applied::compiledEndpoint)
                .toList();
    }

    /** A call as it was before its caller was authenticated. */
    private record Stranger(Call sent) implements ForwardingCall {

        @Override
        public @Nullable String principal() {
            return null;
        }

        @Override
        public @Nullable String claim(String name) {
            return null;
        }
    }

    /**
     * Returns the compiled endpoints that apply to a call of the method with the given name; {@code null} if none does.
     */
    @Nullable public MatchedEndpoints matchOn(String name, Call call) {
        return forCaller(onMethods.get(name), call);
    }

    private @Nullable MatchedEndpoints forCaller(@Nullable MatchedEndpoints found, Call call) {
        if (found == null) {
            return null;
        }
        List<Call> readings = found.dependsOnReading() ? CallReading.of(call) : List.of();
        if (readings.size() > 1) {
            return inEachReading(found.compiledEndpoints(), call, readings);
        }
        return clients == null ? found : clients.matched(found, call);
    }

    private @Nullable MatchedEndpoints find(Call call, Phase phase) {
        EndpointTable<MatchedEndpoints> table = Objects.requireNonNull(tables.get(phase));
        MatchedEndpoints found = table.readsPaths() ? findByPath(table, call) : table.match(call.method(), "/");
        return found == null ? null : found.withoutExcepted(call);
    }

    private static @Nullable MatchedEndpoints findByPath(EndpointTable<MatchedEndpoints> table, Call call) {
        MatchedEndpoints found = table.match(call.method(), call.path());
        String other = call.otherPath();
        if (other != null) {
            found = both(found, table.match(call.method(), other));
        }
        for (String file : CallReading.welcomeFiles(call, other)) {
            found = both(found, namingFiles(table.matchReading(call.method(), file), file));
        }
        return found;
    }

    private static @Nullable MatchedEndpoints both(@Nullable MatchedEndpoints found, @Nullable MatchedEndpoints more) {
        if (found == null || more == null) {
            return found == null ? more : found;
        }
        return found.and(more);
    }

    private static @Nullable MatchedEndpoints namingFiles(@Nullable MatchedEndpoints found, String file) {
        return found == null
                ? null
                : MatchedEndpoints.of(found.compiledEndpoints().stream()
                        .filter(one -> one.paths.matchesFile(file))
                        .toList());
    }

    private @Nullable MatchedEndpoints inEachReading(List<CompiledEndpoint> found, Call sent, List<Call> readings) {
        List<CompiledEndpoint> compiledEndpoints = new ArrayList<>();
        List<Call> calls = new ArrayList<>();
        for (Clients.Applied one : applied(found, sent, readings)) {
            compiledEndpoints.add(one.compiledEndpoint());
            calls.add(one.call());
        }
        return compiledEndpoints.isEmpty() ? null : new MatchedEndpoints.ByReading(compiledEndpoints, calls);
    }

    /** Returns the counters that would count a call at the given time, without counting it. */
    public List<Explanation> explain(Call call, long nowMillis) {
        MatchedEndpoints found = find(call, Phase.WHOLE);
        if (found == null) {
            return List.of();
        }
        Set<Explanation> explanations = new LinkedHashSet<>();
        for (Clients.Applied one : applied(found.compiledEndpoints(), call, CallReading.of(call))) {
            CompiledEndpoint compiledEndpoint = one.compiledEndpoint();
            if (compiledEndpoint.appliesTo(one.call(), nowMillis)) {
                CompiledEndpoint.Caller caller = compiledEndpoint.caller(one.call());
                for (CounterFamily family : caller.families()) {
                    CounterKey key = family.keyAt(family.subjects(caller.values()), nowMillis);
                    explanations.add(
                            new Explanation(compiledEndpoint.endpoint, family.tier, key, one.client(), one.plan()));
                }
            }
        }
        return List.copyOf(explanations);
    }

    /**
     * Applies each endpoint to every interpretation of the call that it matches. If different interpretations do not
     * matter to an endpoint, applies it only to the call as it was sent.
     */
    private List<Clients.Applied> applied(List<CompiledEndpoint> found, Call sent, List<Call> readings) {
        List<Clients.Applied> applied = new ArrayList<>();
        for (CompiledEndpoint compiledEndpoint : found) {
            for (Call reading : compiledEndpoint.dependsOnReading ? readings : List.of(sent)) {
                if (compiledEndpoint.paths.matches(reading)) {
                    applied.addAll(
                            clients == null
                                    ? List.of(new Clients.Applied(compiledEndpoint, null, "", reading))
                                    : clients.applied(List.of(compiledEndpoint), reading));
                }
            }
        }
        return applied;
    }
}
