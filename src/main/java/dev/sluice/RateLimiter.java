package dev.sluice;

/**
 * Decides whether a call may pass. Safe for use by any number of threads; never blocks and never throws for a call's
 * content.
 */
@FunctionalInterface
public interface RateLimiter {

    /** Judges the call by every tier of every endpoint it matches and, if all let it pass, counts it in all of them. */
    Decision decide(Call call);

    /** How the answers of this limiter are to be dressed; the definitions in force say so. */
    default ResponseOptions responses() {
        return ResponseOptions.DEFAULT;
    }
}
