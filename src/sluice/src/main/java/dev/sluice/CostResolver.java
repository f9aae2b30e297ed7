package dev.sluice;

/**
 * Finds how much a call counts, before it runs. Register it with
 * {@code Sluice.builder().costResolver("by-size", resolver)} and name it in the file: {@code cost: by-size}.
 *
 * <pre>{@code
 * CostResolver bySize = call -> call.path().startsWith("/bulk/") ? 10 : 1;
 * }</pre>
 *
 * <p>Must be thread-safe and return at once: it runs on the thread of the call. If it throws, the log says so, and the
 * call counts 1.
 */
@FunctionalInterface
public interface CostResolver {

    /** The cost of the call; a negative one counts as 0. Called once for each matching endpoint. */
    long resolve(Call call);
}
