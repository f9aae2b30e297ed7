package dev.sluice.limiter;

import dev.sluice.Call;
import dev.sluice.Client;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.match.ClientTable;
import dev.sluice.match.PathPattern;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The guard that stands somewhere for everybody, and those that stand there in its place for clients, each made when the first of them calls.
 * Safe for any threads.
 */
final class Post {

    /** So many are remembered; then all are forgotten, and made again as they are needed. */
    private static final int MOST_VARIANTS = 10_000;

    private final Guard everybody;
    private final PathPattern pattern;
    private final String method;
    private final Guards guards;
    private final Found found;
    private final Map<Variant, Guard> variants = new ConcurrentHashMap<>();

    Post(Guard everybody, PathPattern pattern, String method, Guards guards, Found found) {
        this.everybody = everybody;
        this.pattern = pattern;
        this.method = method;
        this.guards = guards;
        this.found = found;
    }

    /** How callers are found: the clients of the file, and those with limits at this endpoint that are set beside it, if any. */
    record Found(ClientTable<Known> clients, @Nullable ClientTable<Treatment> own) {}

    /** A client of the file, and what that means for it. */
    record Known(Client client, Treatment treatment) {}

    /** Who calls; {@code null} if it is nobody in particular. */
    @Nullable Known find(Call call) {
        return found.clients.find(call);
    }

    /** Whether a call is the same client's here and there, whatever the call. */
    boolean findsAs(Post other) {
        return found.clients == other.found.clients;
    }

    /** The guard for such a caller; {@code null} if there is none. */
    @Nullable Guard guard(@Nullable Known caller, Call call) {
        Treatment own = found.own == null ? null : found.own.find(call);
        Treatment treatment = caller != null && caller.treatment.concerns(everybody.endpoint) ? caller.treatment : null;
        Guard guard = own == null && treatment == null ? everybody : variant(new Variant(treatment, own));
        return guard.endpoint.mode() == Mode.OFF ? null : guard;
    }

    /** What is other for a caller by the file, and by what is set beside it. */
    private record Variant(
            @Nullable Treatment ofFile, @Nullable Treatment own) {

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

    private Guard variant(Variant variant) {
        Guard known = variants.get(variant);
        return known != null ? known : make(variant);
    }

    private Guard make(Variant variant) {
        if (variants.size() >= MOST_VARIANTS) {
            variants.clear();
        }
        boolean countsAll = guards.countsAll(everybody.endpoint);
        return variants.computeIfAbsent(
                variant,
                missing -> guards.make(missing.of(everybody.endpoint, countsAll), pattern, method, missing.isExempt()));
    }
}
