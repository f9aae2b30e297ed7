package dev.sluice;

/** Under which circumstances a definition speaks of a call that its method and path match. */
@FunctionalInterface
public interface Condition {

    /** What an endpoint gets that says nothing. */
    Condition ALWAYS = (call, nowMillis) -> true;

    /** Whether the definition speaks of this call, made at this moment. */
    boolean holds(Call call, long nowMillis);
}
