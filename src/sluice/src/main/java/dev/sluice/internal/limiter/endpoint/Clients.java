package dev.sluice.internal.limiter.endpoint;

import dev.sluice.Call;
import dev.sluice.Mode;
import dev.sluice.internal.match.caller.ClientTable;
import dev.sluice.limits.Client;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Plan;
import dev.sluice.limits.SubjectSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The callers with overrides, and the compiled endpoints for each of them. Thread-safe once built. */
public final class Clients {

    private final ClientTable<ClientVariants.MatchedClient> table;
    /** The clients whose limits were set outside the file, keyed by endpoint id. */
    private final Map<String, ClientTable<ClientOverrideSet>> own;
    /** The clients whose factor for all endpoints was set outside the file; {@code null} if there are none. */
    private final @Nullable ClientTable<ClientOverrideSet> everywhere;

    /**
     * The limits that were set for plans outside the file, keyed by endpoint id or {@link
     * ClientOverride#ALL_ENDPOINTS}.
     */
    private final Map<String, Map<String, ClientOverrideSet>> ofPlans = new HashMap<>();

    private final CallerPlans plans;
    private final boolean anyMode;
    private final EndpointCompiler compiler;
    private final Map<CompiledEndpoint, ClientVariants> variantsByEndpoint = new HashMap<>();

    Clients(Limits limits, EndpointCompiler compiler) {
        this.compiler = compiler;
        ClientOverrideSet.Interner overrideSets = new ClientOverrideSet.Interner();
        this.table = table(
                limits.clients(),
                limits,
                false,
                client -> new ClientVariants.MatchedClient(client, overrideSets.of(client)));
        List<Client> ofClients = limits.overrides().stream()
                .filter(client -> client.overriddenPlan() == null)
                .toList();
        this.own = own(ofClients, limits, overrideSets);
        List<Client> multiplied = ofClients.stream()
                .filter(client -> client.endpoints().isEmpty())
                .toList();
        this.everywhere = multiplied.isEmpty() ? null : table(multiplied, limits, true, overrideSets::of);
        limits.overrides().forEach(client -> addOfPlan(client, overrideSets));
        this.plans = CallerPlans.of(limits.plans(), overrideSets);
        this.anyMode = Stream.concat(
                        limits.clients().stream().map(Client::mode),
                        limits.plans().byName().values().stream().map(Plan::mode))
                .anyMatch(mode -> mode != null && mode != Mode.OFF);
    }

    private static <T> ClientTable<T> table(
            List<Client> clients, Limits limits, boolean byKey, Function<Client, T> found) {
        ClientTable.Builder<T> builder = new ClientTable.Builder<>(subjects(clients, limits), byKey);
        clients.forEach(client -> builder.add(client.who(), found.apply(client)));
        return builder.build();
    }

    private static Map<String, ClientTable<ClientOverrideSet>> own(
            List<Client> overrides, Limits limits, ClientOverrideSet.Interner overrideSets) {
        Map<String, List<Client>> byEndpoint = new HashMap<>();
        for (Client client : overrides) {
            for (String id : client.endpoints().keySet()) {
                byEndpoint.computeIfAbsent(id, missing -> new ArrayList<>()).add(client);
            }
        }
        Map<String, ClientTable<ClientOverrideSet>> tables = new HashMap<>();
        byEndpoint.forEach((id, clients) -> tables.put(id, table(clients, limits, true, overrideSets::of)));
        return tables;
    }

    private void addOfPlan(Client override, ClientOverrideSet.Interner overrideSets) {
        String plan = override.overriddenPlan();
        if (plan != null) {
            Set<String> places = override.endpoints().isEmpty()
                    ? Set.of(ClientOverride.ALL_ENDPOINTS)
                    : override.endpoints().keySet();
            places.forEach(place ->
                    ofPlans.computeIfAbsent(place, missing -> new HashMap<>()).put(plan, overrideSets.of(override)));
        }
    }

    /** Returns the limits that were set for plans outside the file and that apply at an endpoint, keyed by plan. */
    private Map<String, ClientOverrideSet> ofPlansAt(String endpoint) {
        Map<String, ClientOverrideSet> here =
                new HashMap<>(ofPlans.getOrDefault(ClientOverride.ALL_ENDPOINTS, Map.of()));
        here.putAll(ofPlans.getOrDefault(endpoint, Map.of()));
        return here;
    }

    private static Map<String, List<SubjectSource>> subjects(List<Client> clients, Limits limits) {
        Map<String, List<SubjectSource>> subjects = new LinkedHashMap<>();
        for (Client client : clients) {
            for (String name : client.who().keySet()) {
                subjects.computeIfAbsent(
                        name,
                        missing -> Objects.requireNonNull(
                                limits.subjects().get(missing),
                                () -> client.name() + ": no subject " + missing + " is defined"));
            }
        }
        return subjects;
    }

    /** Whether an endpoint that is off for everybody could be on for some client. */
    boolean mayTurnOn() {
        return anyMode;
    }

    /** Registers an endpoint when the limits are loaded, so that clients can have variants of it. */
    CompiledEndpoint withVariants(CompiledEndpoint everybody, String method) {
        ClientTable<ClientOverrideSet> here = own.get(everybody.endpoint.id());
        ClientVariants.Tables tables = new ClientVariants.Tables(
                table.bind(everybody.paths),
                here == null ? null : here.bind(everybody.paths),
                everywhere == null ? null : everywhere.bind(everybody.paths),
                plans.bind(everybody.paths),
                ofPlansAt(everybody.endpoint.id()));
        variantsByEndpoint.put(everybody, new ClientVariants(everybody, method, compiler, tables));
        return everybody;
    }

    /** Replaces compiled endpoints with the caller's variants. Returns {@code null} if no endpoint applies. */
    @Nullable MatchedEndpoints matched(MatchedEndpoints forEverybody, Call call) {
        if (forEverybody instanceof MatchedEndpoints.One one) {
            ClientVariants variants = variantsOf(one.endpoint());
            ClientVariants.MatchedClient caller = variants.find(call);
            CompiledEndpoint variant = variants.compiledEndpoint(caller, variants.plan(caller, call), call);
            return variant == null ? null : variant == one.endpoint() ? one : new MatchedEndpoints.One(variant);
        }
        List<CompiledEndpoint> own = new ArrayList<>();
        for (Applied one : applied(forEverybody.compiledEndpoints(), call)) {
            own.add(one.compiledEndpoint);
        }
        return MatchedEndpoints.of(own);
    }

    /**
     * A compiled endpoint that applies to a call.
     *
     * @param client the client for which the variant was compiled; {@code null} if the caller is not a configured
     *     client
     * @param plan the name of the caller's plan; empty if the caller has none
     * @param call the interpretation of the call to which the endpoint applies
     */
    record Applied(
            CompiledEndpoint compiledEndpoint, @Nullable Client client, String plan, Call call) {}

    /**
     * Returns the compiled endpoints for the caller, each with the configured client that matches the caller, if there
     * is one.
     */
    List<Applied> applied(List<CompiledEndpoint> forEverybody, Call call) {
        List<Applied> applied = new ArrayList<>(forEverybody.size());
        ClientVariants asked = null;
        ClientVariants.MatchedClient caller = null;
        for (CompiledEndpoint everybody : forEverybody) {
            ClientVariants variants = variantsOf(everybody);
            if (asked == null || !variants.findsSameClientAs(asked)) {
                caller = variants.find(call);
                asked = variants;
            }
            CallerPlans.FoundPlan plan = variants.plan(caller, call);
            CompiledEndpoint compiledEndpoint = variants.compiledEndpoint(caller, plan, call);
            if (compiledEndpoint != null) {
                applied.add(new Applied(
                        compiledEndpoint,
                        caller == null ? null : caller.client(),
                        plan == null ? "" : plan.name(),
                        call));
            }
        }
        return applied;
    }

    private ClientVariants variantsOf(CompiledEndpoint everybody) {
        return Objects.requireNonNull(variantsByEndpoint.get(everybody));
    }
}
