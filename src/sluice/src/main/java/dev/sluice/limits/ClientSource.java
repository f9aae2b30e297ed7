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
 * <p>Sluice asks it in the background, never on the thread of a request: once for each caller, and again at most once
 * per {@code clients.refresh}. Until it answers, the caller keeps its last plan, or has the default one. Must be
 * thread-safe.
 */
@FunctionalInterface
public interface ClientSource extends AutoCloseable {

    /**
     * Finds a client. If it fails, the failure is logged, and the last known answer stays.
     *
     * @param source where the value was found, for example {@code header:X-Api-Key}
     * @param value the value that the caller sent; it may be a secret, so do not log it
     * @return the client; empty if there is none with this value
     */
    CompletionStage<Optional<KnownClient>> find(String source, String value);

    @Override
    default void close() {}
}
