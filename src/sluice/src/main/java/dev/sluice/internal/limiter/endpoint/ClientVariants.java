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
 * A compiled endpoint and its variants for clients with overrides. A variant is compiled when such a client first makes
 * a call. Thread-safe.
 */
final class ClientVariants {

    /** The maximum number of variants. If it is exceeded, all variants are dropped, and compiled again when needed. */
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
     * Finds the settings of a caller.
     *
     * @param clients the clients of the file
     * @param here the clients with limits for this endpoint that were set outside the file; {@code null} if there are
     *     none
     * @param everywhere the clients with a factor for all endpoints that was set outside the file; {@code null} if
     *     there are none
     * @param plans finds the caller's plan
     * @param ofPlans the limits for this endpoint that were set outside the file, by plan
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

    /** A client of the file and its overrides. */
    record MatchedClient(Client client, ClientOverrideSet overrides) {}

    /** Returns the client of the file that matches the caller; {@code null} if none does. */
    @Nullable MatchedClient find(Call call) {
        return tables.clients.find(call);
    }

    /** Whether both endpoints always find the same client. */
    boolean findsSameClientAs(ClientVariants other) {
        return tables.clients == other.tables.clients;
    }

    /** Returns the plan of a caller; {@code null} if it has none. */
    CallerPlans.@Nullable FoundPlan plan(@Nullable MatchedClient caller, Call call) {
        return tables.plans.find(caller == null ? "" : caller.client.plan(), call);
    }

    /** Returns the compiled endpoint for a caller and its plan; {@code null} if the endpoint is off for this caller. */
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
     * The overrides of a caller: those for the caller in the file, those of its plan, and those set outside the file.
     * Overrides set outside the file multiply the limits of the file or replace them. Tiers set for a plan replace only
     * the limits that the file defines for this plan, so the caller's individual overrides still apply to them.
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
