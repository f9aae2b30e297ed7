package dev.sluice;

/**
 * Determines the cost of a call before it runs. Register it with {@code Sluice.builder().costResolver("by-size",
 * resolver)} and name it in the file: {@code cost: by-size}.
 *
 * <pre>{@code
 * CostResolver bySize = call -> call.path().startsWith("/bulk/") ? 10 : 1;
 * }</pre>
 *
 * <p>Implementations must be thread-safe and return immediately, because they run on the thread of the call. If a
 * resolver throws an exception, the log says so, and the call costs 1.
 */
@FunctionalInterface
public interface CostResolver {

    /**
     * Returns the cost of a call. A negative cost is treated as 0. The limiter calls this method once for each matching
     * endpoint.
     */
    long resolve(Call call);
}
