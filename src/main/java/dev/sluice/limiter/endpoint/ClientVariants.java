package dev.sluice.limiter.endpoint;

import dev.sluice.Call;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.limits.Client;
import dev.sluice.match.caller.ClientTable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A compiled endpoint, and its variants for clients with overrides, each compiled when such a client first calls. Safe
 * for any threads.
 */
final class ClientVariants {

    /** The most variants; then all are dropped, and compiled again when needed. */
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
     * Finds the caller: among the clients of the file, and among those with limits at this endpoint that are set
     * outside it, if any.
     */
    record Tables(
            ClientTable<MatchedClient> clients, @Nullable ClientTable<ClientOverrideSet> outside) {}

    /** A client of the file and its overrides. */
    record MatchedClient(Client client, ClientOverrideSet overrides) {}

    /** The client that the caller is; {@code null} if none. */
    @Nullable MatchedClient find(Call call) {
        return tables.clients.find(call);
    }

    /** Whether both endpoints always find the same client. */
    boolean findsSameClientAs(ClientVariants other) {
        return tables.clients == other.tables.clients;
    }

    /** The compiled endpoint for a caller; {@code null} if none applies. */
    @Nullable CompiledEndpoint compiledEndpoint(@Nullable MatchedClient caller, Call call) {
        ClientOverrideSet outside = tables.outside == null ? null : tables.outside.find(call);
        ClientOverrideSet overrides =
                caller != null && caller.overrides.changes(everybody.endpoint) ? caller.overrides : null;
        CompiledEndpoint compiledEndpoint =
                outside == null && overrides == null ? everybody : variant(new Variant(overrides, outside));
        return compiledEndpoint.endpoint.mode() == Mode.OFF ? null : compiledEndpoint;
    }

    /** The overrides of a caller, from the file and from outside it. */
    private record Variant(
            @Nullable ClientOverrideSet ofFile, @Nullable ClientOverrideSet outside) {

        boolean isExempt() {
            return ofFile != null && ofFile.isExempt();
        }

        Endpoint of(Endpoint endpoint, boolean countsAll) {
            if (outside == null) {
                return ofFile == null ? endpoint : ofFile.of(endpoint, countsAll);
            }
            return outside.of(ofFile == null ? endpoint : ofFile.withModeOnly(endpoint), countsAll);
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
                        missing.of(everybody.endpoint, countsAll), everybody.pattern, method, missing.isExempt()));
    }
}
