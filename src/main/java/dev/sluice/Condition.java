package dev.sluice;

/** When an endpoint applies to a call whose method and path it matches. */
@FunctionalInterface
public interface Condition {

    /** The default: the endpoint always applies. */
    Condition ALWAYS = (call, nowMillis) -> true;

    /** Whether the endpoint applies to this call at this time. */
    boolean holds(Call call, long nowMillis);
}
