package dev.sluice;

import org.jspecify.annotations.Nullable;

/**
 * Identifies callers that the built-in sources cannot identify. Register it with {@code
 * Sluice.builder().resolver("customer", resolver)} and add it to the sources of a subject in the file: {@code tenant: [
 * customer, ip ]}.
 *
 * <pre>{@code
 * SubjectResolver customer = call -> customers.byKey(call.header("X-Api-Key"));
 * }</pre>
 *
 * <p>Implementations must be thread-safe and return immediately, because they run on the thread of the call. If a
 * resolver throws an exception, the log says so, and the next source is tried.
 */
@FunctionalInterface
public interface SubjectResolver {

    /**
     * Returns the value for a call, or {@code null} to try the next source. The limiter calls this method once for each
     * matching endpoint.
     */
    @Nullable String resolve(Call call);
}
