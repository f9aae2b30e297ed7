package dev.sluice;

/**
 * Decides whether a call may pass. Safe for use by any number of threads; never throws for a call's content. A call
 * waits here only if a limit that instances share may have permits for it, and none is in hand: for {@code sync.timeout}
 * at most, and a second more where this process gets too little processor time.
 */
@FunctionalInterface
public interface RateLimiter {

    /** Judges the call by every tier of every endpoint it matches and, if all let it pass, counts it in all of them. */
    Decision decide(Call call);

    /** Which headers and which status responses get, as the limits in force say. */
    default ResponseOptions responses() {
        return ResponseOptions.DEFAULT;
    }
}
