package dev.sluice;

/**
 * An extra condition on calls that an endpoint's method and path match: {@code when} in the file. Implementations must
 * be thread-safe.
 */
@FunctionalInterface
public interface Condition {

    /** The default: always holds. */
    Condition ALWAYS = (call, nowMillis) -> true;

    /** Whether the endpoint applies to this call at this time. */
    boolean holds(Call call, long nowMillis);
}
