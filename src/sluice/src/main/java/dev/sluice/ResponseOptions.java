package dev.sluice;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The format of responses: their headers, and the status and body of refusals. Immutable and thread-safe.
 *
 * @param headers which rate limit headers are sent
 * @param reset the format of {@code x-ratelimit-reset}
 * @param inDryRun whether endpoints in dry run also send headers
 * @param status the status of refusals by a limit
 * @param statusIfBusy the status of refusals because too many calls are pending
 * @param retryAfterJitter the maximum random delay that is added to {@code Retry-After} to spread retries
 * @param body the body of refusals; {@code null} for a problem document (RFC 9457)
 * @param html the page for callers that prefer HTML, such as browsers; {@code null} to send the body to all callers
 */
public record ResponseOptions(
        Headers headers,
        Reset reset,
        boolean inDryRun,
        int status,
        int statusIfBusy,
        Duration retryAfterJitter,
        @Nullable RefusalBody body,
        @Nullable RefusalBody html) {

    /** The default options. */
    public static final ResponseOptions DEFAULT =
            new ResponseOptions(Headers.X_RATELIMIT, Reset.DELTA, false, 429, 429, Duration.ZERO, null);

    /** Creates options with the default page for callers that prefer HTML. */
    public ResponseOptions(
            Headers headers,
            Reset reset,
            boolean inDryRun,
            int status,
            int statusIfBusy,
            Duration retryAfterJitter,
            @Nullable RefusalBody body) {
        this(headers, reset, inDryRun, status, statusIfBusy, retryAfterJitter, body, RefusalBody.defaultPage(body));
    }

    /** Which rate limit headers are sent in responses. */
    public enum Headers {
        X_RATELIMIT,
        IETF,
        BOTH,
        NONE;

        /** Whether responses contain the fields of the IETF draft, which show every applicable limit. */
        public boolean hasFieldsOfDraft() {
            return this == IETF || this == BOTH;
        }
    }

    /** The format in which responses show the end of a window. */
    public enum Reset {
        /** The number of whole seconds until the end of the window. */
        DELTA,
        /** The number of whole seconds from 1970 until the end of the window. */
        EPOCH
    }
}
