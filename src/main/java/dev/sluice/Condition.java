package dev.sluice;

/** When a definition applies to a call whose method and path it matches. */
@FunctionalInterface
public interface Condition {

    /** The default: the definition always applies. */
    Condition ALWAYS = (call, nowMillis) -> true;

    /** Whether the definition applies to this call at this time. */
    boolean holds(Call call, long nowMillis);
}
