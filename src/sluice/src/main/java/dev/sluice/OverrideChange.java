package dev.sluice;

/**
 * A change to the overrides outside the file: an operator has set or removed an override, or an override has expired.
 * In a history, it can also be a gift of calls. Immutable and thread-safe.
 *
 * @param subject the subject that identifies the client, for example {@code tenant}
 * @param client the subject's value, or its hash if the subject is secret
 * @param endpoint the endpoint's id; {@code *} for all endpoints
 * @param limit the new limit, for example {@code 5000/10s} or {@code x2}; empty if the override was removed or has
 *     expired. For a gift, a text that begins with {@code give} or {@code reset}
 * @param atMillis the time of the change, in milliseconds since 1970; 0 if unknown
 * @param untilMillis the time when the override expires, in milliseconds since 1970; 0 if it never expires
 * @param by the operator who made the change; empty if unknown
 * @param why the reason that the operator gave; empty if none was given
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

    /** Whether the override was removed or has expired. */
    public boolean isRemoval() {
        return limit.isEmpty();
    }
}
