package dev.sluice;

/**
 * An additional condition for calls that match an endpoint's methods and paths. The corresponding key in the file is
 * {@code when}. Implementations must be thread-safe.
 */
@FunctionalInterface
public interface Condition {

    /** The default condition. It always holds. */
    Condition ALWAYS = (call, nowMillis) -> true;

    /** Whether the endpoint applies to the call at the given time. */
    boolean holds(Call call, long nowMillis);
}
