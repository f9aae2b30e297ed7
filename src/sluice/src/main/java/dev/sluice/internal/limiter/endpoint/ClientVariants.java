package dev.sluice.internal.limiter.endpoint;

import dev.sluice.Call;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.internal.match.caller.ClientTable;
import dev.sluice.limits.Client;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A compiled endpoint and its variants for clients with overrides. A variant is compiled when the first call of such a
 * client arrives. Thread-safe.
 */
final class ClientVariants {

    /**
     * The maximum number of variants. When it is reached, all variants are discarded. They are compiled again when they
     * are needed.
     */
    private static final int MOST_VARIANTS = 10_000;

    private final CompiledEndpoint everybody;
    private final String method;
    private final EndpointCompiler compiler;
    private final Tables tables;
    private final Map<Variant, CompiledEndpoint> variants = new ConcurrentHashMap<>();

    ClientVariants(CompiledEndpoint everybody, String method, EndpointCompiler compiler, Tables tables) {
        this.everybody = everybody;
        this.method = method;
        this.compiler = compiler;
        this.tables = tables;
    }

    /**
     * The tables that contain the settings of callers.
     *
     * @param clients the clients in the file
     * @param here the clients whose limits at this endpoint were set outside the file; {@code null} if there are none
     * @param everywhere the clients whose factor for all endpoints was set outside the file; {@code null} if there are
     *     none
     * @param plans the component that finds the caller's plan
     * @param ofPlans the limits at this endpoint that were set for plans outside the file, keyed by plan
     */
    record Tables(
            ClientTable<MatchedClient> clients,
            @Nullable ClientTable<ClientOverrideSet> here,
            @Nullable ClientTable<ClientOverrideSet> everywhere,
            CallerPlans plans,
            Map<String, ClientOverrideSet> ofPlans) {

        /** Returns the limits set outside the file for the caller or, if there are none, for the caller's plan. */
        @Nullable ClientOverrideSet outside(Call call, CallerPlans.@Nullable FoundPlan plan) {
            ClientOverrideSet found = here == null ? null : here.find(call);
            if (found == null && everywhere != null) {
                found = everywhere.find(call);
            }
            return found == null && plan != null && !ofPlans.isEmpty() ? ofPlans.get(plan.name()) : found;
        }
    }

    /** A client in the file, with its overrides. */
    record MatchedClient(Client client, ClientOverrideSet overrides) {}

    /** Returns the configured client that matches the caller; {@code null} if there is none. */
    @Nullable MatchedClient find(Call call) {
        return tables.clients.find(call);
    }

    /** Whether both endpoints always find the same client. */
    boolean findsSameClientAs(ClientVariants other) {
        return tables.clients == other.tables.clients;
    }

    /** Returns a caller's plan; {@code null} if the caller has none. */
    CallerPlans.@Nullable FoundPlan plan(@Nullable MatchedClient caller, Call call) {
        return tables.plans.find(caller == null ? "" : caller.client.plan(), call);
    }

    /**
     * Returns the compiled endpoint for a caller and the caller's plan; {@code null} if the endpoint is off for this
     * caller.
     */
    @Nullable CompiledEndpoint compiledEndpoint(
            @Nullable MatchedClient caller, CallerPlans.@Nullable FoundPlan found, Call call) {
        ClientOverrideSet outside = changing(tables.outside(call, found));
        ClientOverrideSet plan = changing(found == null ? null : found.overrides());
        ClientOverrideSet overrides = changing(caller == null ? null : caller.overrides);
        CompiledEndpoint compiledEndpoint = outside == null && overrides == null && plan == null
                ? everybody
                : variant(new Variant(overrides, plan, outside));
        return compiledEndpoint.endpoint.mode() == Mode.OFF ? null : compiledEndpoint;
    }

    /** Returns these overrides if they change anything at the endpoint; otherwise {@code null}. */
    private @Nullable ClientOverrideSet changing(@Nullable ClientOverrideSet some) {
        return some != null && some.changes(everybody.endpoint) ? some : null;
    }

    /**
     * The overrides that apply to a caller: the caller's overrides in the file, the overrides of the caller's plan, and
     * the overrides that were set outside the file. Overrides from outside the file multiply or replace the limits in
     * the file. Tiers that were set for a plan replace only the limits that the file defines for that plan. The
     * caller's individual overrides still apply to these tiers.
     */
    private record Variant(
            @Nullable ClientOverrideSet ofFile,
            @Nullable ClientOverrideSet plan,
            @Nullable ClientOverrideSet outside) {

        boolean isExempt() {
            return (ofFile != null && ofFile.isExempt()) || (plan != null && plan.isExempt());
        }

        Endpoint of(Endpoint endpoint, boolean countsAll) {
            if (outside == null || outside.multiplies(endpoint)) {
                Endpoint planned = plan == null ? endpoint : plan.of(endpoint, countsAll);
                Endpoint known = ofFile == null ? planned : ofFile.of(planned, countsAll);
                return outside == null ? known : outside.of(known, countsAll);
            }
            Endpoint planned = plan == null ? endpoint : plan.withModeOnly(endpoint);
            if (outside.areOfPlan()) {
                Endpoint replaced = outside.of(planned, countsAll);
                return ofFile == null ? replaced : ofFile.of(replaced, countsAll);
            }
            return outside.of(ofFile == null ? planned : ofFile.withModeOnly(planned), countsAll);
        }
    }

    private CompiledEndpoint variant(Variant variant) {
        CompiledEndpoint known = variants.get(variant);
        if (known != null) {
            return known;
        }
        if (variants.size() >= MOST_VARIANTS) {
            variants.clear();
        }
        boolean countsAll = compiler.countsAll(everybody.endpoint);
        return variants.computeIfAbsent(
                variant,
                missing -> compiler.make(
                        missing.of(everybody.endpoint, countsAll), everybody.paths, method, missing.isExempt()));
    }
}
