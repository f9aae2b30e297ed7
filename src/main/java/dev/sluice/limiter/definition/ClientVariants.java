package dev.sluice.limiter.definition;

import dev.sluice.Call;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.limits.Client;
import dev.sluice.match.caller.ClientTable;
import dev.sluice.match.path.PathPattern;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The compiled endpoint for everybody, and its variants for clients, each compiled when the first of them calls.
 * Safe for any threads.
 */
final class ClientVariants {

    /** So many are remembered; then all are forgotten, and made again as they are needed. */
    private static final int MOST_VARIANTS = 10_000;

    private final CompiledEndpoint everybody;
    private final PathPattern pattern;
    private final String method;
    private final EndpointCompiler compiler;
    private final Found found;
    private final Map<Variant, CompiledEndpoint> variants = new ConcurrentHashMap<>();

    ClientVariants(
            CompiledEndpoint everybody, PathPattern pattern, String method, EndpointCompiler compiler, Found found) {
        this.everybody = everybody;
        this.pattern = pattern;
        this.method = method;
        this.compiler = compiler;
        this.found = found;
    }

    /**
     * How callers are found: the clients of the file, and those with limits at this endpoint that are set beside it, if
     * any.
     */
    record Found(ClientTable<Known> clients, @Nullable ClientTable<ClientOverrideSet> own) {}

    /** A client of the file, and what that means for it. */
    record Known(Client client, ClientOverrideSet overrides) {}

    /** Who calls; {@code null} if the caller is not listed. */
    @Nullable Known find(Call call) {
        return found.clients.find(call);
    }

    /** Whether a call is the same client's here and there, whatever the call. */
    boolean findsAs(ClientVariants other) {
        return found.clients == other.found.clients;
    }

    /** The variant for such a caller; {@code null} if there is none. */
    @Nullable CompiledEndpoint compiledEndpoint(@Nullable Known caller, Call call) {
        ClientOverrideSet own = found.own == null ? null : found.own.find(call);
        ClientOverrideSet overrides =
                caller != null && caller.overrides.concerns(everybody.endpoint) ? caller.overrides : null;
        CompiledEndpoint compiledEndpoint =
                own == null && overrides == null ? everybody : variant(new Variant(overrides, own));
        return compiledEndpoint.endpoint.mode() == Mode.OFF ? null : compiledEndpoint;
    }

    /** What is other for a caller by the file, and by what is set beside it. */
    private record Variant(
            @Nullable ClientOverrideSet ofFile, @Nullable ClientOverrideSet own) {

        boolean isExempt() {
            return ofFile != null && ofFile.isExempt();
        }

        Endpoint of(Endpoint endpoint, boolean countsAll) {
            if (own == null) {
                return ofFile == null ? endpoint : ofFile.of(endpoint, countsAll);
            }
            return own.of(ofFile == null ? endpoint : ofFile.modeOf(endpoint), countsAll);
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
                missing ->
                        compiler.make(missing.of(everybody.endpoint, countsAll), pattern, method, missing.isExempt()));
    }
}
