package dev.sluice;

/**
 * Decides whether a call may pass. Safe for any number of threads; never throws because of a call's content. A call
 * waits only if it finds no permit in hand of a shared limit that is not used up: mostly for one exchange with the
 * store, and at most for two seconds more than {@code sync.timeout}; or, for two seconds, if calls under way have taken
 * all of a limit that counts by answers.
 */
@FunctionalInterface
public interface RateLimiter {

    /** Checks every tier of every endpoint that matches. If all let the call pass, counts it in all of them. */
    Decision decide(Call call);

    /** The headers and status that responses get, as the limits in force say. */
    default ResponseOptions responses() {
        return ResponseOptions.DEFAULT;
    }
}
