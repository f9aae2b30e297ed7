package dev.sluice.limits;

/**
 * A limit of one client, set outside the file: at one endpoint, or as a factor for all endpoints. Not validated.
 * Immutable and thread-safe.
 *
 * @param subject the subject that identifies the client, for example {@code tenant}
 * @param value the subject's value
 * @param endpoint the endpoint's id, or {@link #ALL_ENDPOINTS}
 * @param tiers the limits, for example {@code 100/1s,5000/10s}; or a factor such as {@code x2} for the limits that
 *     apply otherwise
 */
public record ClientOverride(String subject, String value, String endpoint, String tiers) {

    /** Stands for all endpoints. */
    public static final String ALL_ENDPOINTS = "*";

    /** Identifies this override without its limits, to remove it or ask for it. */
    public ClientOverride withoutTiers() {
        return new ClientOverride(subject, value, endpoint, "");
    }

    /** A copy for another endpoint. */
    public ClientOverride at(String other) {
        return new ClientOverride(subject, value, other, tiers);
    }
}
