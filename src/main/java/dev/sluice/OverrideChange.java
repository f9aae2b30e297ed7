package dev.sluice;

/**
 * An override that was set outside the file, or removed.
 *
 * @param subject the subject that identifies the client, for example {@code tenant}
 * @param client the subject's value; its hash if it is secret
 * @param endpoint the endpoint's id; {@code *} for all endpoints
 * @param limit what holds from now on, for example {@code 5000/10s} or {@code x2}; empty if the override was removed, or has
 *     ended
 * @param atMillis when, in milliseconds since 1970; 0 if unknown
 * @param untilMillis when it ends by itself, likewise; 0 if it has no end
 * @param by who did that; empty if unknown
 * @param why the reason given; empty if there was none
 */
public record OverrideChange(
        String subject,
        String client,
        String endpoint,
        String limit,
        long atMillis,
        long untilMillis,
        String by,
        String why) {

    /** Whether it was removed, or has ended. */
    public boolean isRemoval() {
        return limit.isEmpty();
    }
}
