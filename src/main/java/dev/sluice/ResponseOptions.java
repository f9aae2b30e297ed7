package dev.sluice;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How responses look: their headers, and the status and body of a refusal.
 *
 * @param headers which family of headers is sent
 * @param reset the format of {@code x-ratelimit-reset}
 * @param inDryRun whether a dry run sends headers too
 * @param status the status of a refusal by a limit
 * @param statusIfBusy the status of a refusal because too many threads wait
 * @param retryAfterJitter the most that is added at random to {@code Retry-After}, to spread retries
 * @param body the body of a refusal; {@code null} for a problem document
 */
public record ResponseOptions(
        Headers headers,
        Reset reset,
        boolean inDryRun,
        int status,
        int statusIfBusy,
        Duration retryAfterJitter,
        @Nullable RefusalBody body) {

    /** All refusals have the same status. */
    public ResponseOptions(
            Headers headers,
            Reset reset,
            boolean inDryRun,
            int status,
            Duration retryAfterJitter,
            @Nullable RefusalBody body) {
        this(headers, reset, inDryRun, status, status, retryAfterJitter, body);
    }

    /** Refusals are answered with a problem document. */
    public ResponseOptions(Headers headers, Reset reset, boolean inDryRun, int status, Duration retryAfterJitter) {
        this(headers, reset, inDryRun, status, retryAfterJitter, null);
    }

    /** The defaults. */
    public static final ResponseOptions DEFAULT =
            new ResponseOptions(Headers.X_RATELIMIT, Reset.DELTA, false, 429, Duration.ZERO);

    /** A family of response headers. */
    public enum Headers {
        X_RATELIMIT,
        IETF,
        BOTH,
        NONE
    }

    /** The format of the time at which a window ends. */
    public enum Reset {
        /** Whole seconds left. */
        DELTA,
        /** Whole seconds since 1970. */
        EPOCH
    }
}
