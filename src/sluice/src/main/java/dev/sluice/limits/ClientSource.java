package dev.sluice.limits;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Finds the names and plans of an application's clients, for example in its database. The file names the source in
 * {@code clients: { from: NAME }}.
 *
 * <pre>{@code
 * ClientSource customers = (source, key) ->
 *         database.findByKey(key).thenApply(found -> found.map(one -> new KnownClient(one.name(), one.plan())));
 * Sluice.builder().clientSource("customers", customers)
 * }</pre>
 *
 * <p>Sluice queries the source on a background thread, never on a request thread. It queries the source when a caller
 * first appears, and then at most once per {@code clients.refresh}. Until the source responds, the caller's last known
 * plan applies. If no plan is known, the default plan applies. Must be thread-safe.
 */
@FunctionalInterface
public interface ClientSource extends AutoCloseable {

    /**
     * Finds a client. If the look-up fails, Sluice logs the failure and continues to use the last known result.
     *
     * @param source the source that yielded the value, for example {@code header:X-Api-Key}
     * @param value the value that the caller sent. Do not log it, because it can be a secret
     * @return the client; empty if no client has this value
     */
    CompletionStage<Optional<KnownClient>> find(String source, String value);

    @Override
    default void close() {}
}
