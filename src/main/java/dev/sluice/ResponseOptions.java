package dev.sluice;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How responses look: which headers tell callers of their limit, and what a refusal looks like.
 *
 * @param headers which family of headers is written
 * @param reset how {@code x-ratelimit-reset} is given
 * @param inDryRun whether a dry run writes headers too
 * @param status the status of a refusal
 * @param retryAfterJitter the most that is added to {@code Retry-After}, at random, to spread the returning callers
 * @param body of a refusal; {@code null} for a problem document
 */
public record ResponseOptions(
        Headers headers,
        Reset reset,
        boolean inDryRun,
        int status,
        Duration retryAfterJitter,
        @Nullable RefusalBody body) {

    /** Refusals are answered with a problem document. */
    public ResponseOptions(Headers headers, Reset reset, boolean inDryRun, int status, Duration retryAfterJitter) {
        this(headers, reset, inDryRun, status, retryAfterJitter, null);
    }

    /** What a file that says nothing gets. */
    public static final ResponseOptions DEFAULT =
            new ResponseOptions(Headers.X_RATELIMIT, Reset.DELTA, false, 429, Duration.ZERO);

    /** A family of response headers. */
    public enum Headers {
        X_RATELIMIT,
        IETF,
        BOTH,
        NONE
    }

    /** A way of giving the moment at which a window ends. */
    public enum Reset {
        /** Whole seconds left. */
        DELTA,
        /** Whole seconds since 1970. */
        EPOCH
    }
}
