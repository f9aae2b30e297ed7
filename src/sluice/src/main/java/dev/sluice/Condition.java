package dev.sluice;

/**
 * An additional condition for calls that match an endpoint's methods and paths: {@code when} in the file.
 * Implementations must be thread-safe.
 */
@FunctionalInterface
public interface Condition {

    /** The default, which always holds. */
    Condition ALWAYS = (call, nowMillis) -> true;

    /** Whether the endpoint applies to this call at this time. */
    boolean holds(Call call, long nowMillis);
}
