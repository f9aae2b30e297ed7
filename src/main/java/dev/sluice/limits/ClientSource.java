package dev.sluice.limits;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Finds the clients of an application, for example in its database: what they are called, and which plan they have. The
 * file names it in {@code clients: { from: NAME }}.
 *
 * <pre>{@code
 * ClientSource customers = (source, key) ->
 *         database.findByKey(key).thenApply(found -> found.map(one -> new KnownClient(one.name(), one.plan())));
 * Sluice.builder().clientSource("customers", customers)
 * }</pre>
 *
 * <p>It is asked on a thread in the background, never by a request, once for each caller and then at most once in each
 * {@code clients.refresh}. Until it has answered, the caller has its last plan, or the default one.
 */
@FunctionalInterface
public interface ClientSource extends AutoCloseable {

    /**
     * Finds a client. An exception, also one in the answer, is logged, and what was last known of the client stays.
     *
     * @param source where its value was found, for example {@code header:X-Api-Key}
     * @param value what the caller sent, which may be a secret: do not log it
     * @return the client; empty if there is none with this value
     */
    CompletionStage<Optional<KnownClient>> find(String source, String value);

    @Override
    default void close() {}
}
