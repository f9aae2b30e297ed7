package dev.sluice;

import org.jspecify.annotations.Nullable;

/**
 * Identifies the caller where the built-in sources cannot. Register it with
 * {@code Sluice.builder().resolver("customer", resolver)} and name it among the sources of a subject in the file:
 * {@code tenant: [ customer, ip ]}.
 *
 * <pre>{@code
 * SubjectResolver customer = call -> customers.byKey(call.header("X-Api-Key"));
 * }</pre>
 *
 * <p>Must be thread-safe and return at once: it runs on the thread of the call. If it throws, the log says so, and the
 * next source is tried.
 */
@FunctionalInterface
public interface SubjectResolver {

    /**
     * The value for this call; {@code null} if it has none, so that the next source is tried. Called once for each
     * matching endpoint.
     */
    @Nullable String resolve(Call call);
}
