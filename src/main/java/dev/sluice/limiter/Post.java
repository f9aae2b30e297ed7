package dev.sluice.limiter;

import dev.sluice.Call;
import dev.sluice.Client;
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
    private final ClientTable<Known> clients;
    private final Map<Treatment, Guard> variants = new ConcurrentHashMap<>();

    Post(Guard everybody, PathPattern pattern, String method, Guards guards, ClientTable<Known> clients) {
        this.everybody = everybody;
        this.pattern = pattern;
        this.method = method;
        this.guards = guards;
        this.clients = clients;
    }

    /** A client of the file, and what that means for it. */
    record Known(Client client, Treatment treatment) {}

    /** Who calls; {@code null} if it is nobody in particular. */
    @Nullable Known find(Call call) {
        return clients.find(call);
    }

    /** Whether a call is the same client's here and there, whatever the call. */
    boolean findsAs(Post other) {
        return clients == other.clients;
    }

    /** The guard for such a caller; {@code null} if there is none. */
    @Nullable Guard guard(@Nullable Known caller) {
        Guard guard = caller == null || !caller.treatment.concerns(everybody.endpoint)
                ? everybody
                : variant(caller.treatment);
        return guard.endpoint.mode() == Mode.OFF ? null : guard;
    }

    private Guard variant(Treatment treatment) {
        Guard known = variants.get(treatment);
        return known != null ? known : make(treatment);
    }

    private Guard make(Treatment treatment) {
        if (variants.size() >= MOST_VARIANTS) {
            variants.clear();
        }
        boolean countsAll = guards.countsAll(everybody.endpoint);
        return variants.computeIfAbsent(
                treatment,
                missing -> guards.make(missing.of(everybody.endpoint, countsAll), pattern, method, missing.isExempt()));
    }
}
