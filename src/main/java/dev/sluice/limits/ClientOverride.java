package dev.sluice.limits;

/**
 * A limit of one client at one endpoint, or a factor for its limits at all of them, set outside the file. Not validated.
 *
 * @param subject the subject that identifies the client, for example {@code tenant}
 * @param value the subject's value
 * @param endpoint the endpoint's id, or {@link #ALL_ENDPOINTS}
 * @param tiers the limits, for example {@code 100/1s,5000/10s}; or a factor for those that hold otherwise, {@code x2}
 */
public record ClientOverride(String subject, String value, String endpoint, String tiers) {

    /** Stands for all endpoints. */
    public static final String ALL_ENDPOINTS = "*";

    /** The same without what it says, as it is removed or asked for. */
    public ClientOverride withoutTiers() {
        return new ClientOverride(subject, value, endpoint, "");
    }

    /** The same for another endpoint. */
    public ClientOverride at(String other) {
        return new ClientOverride(subject, value, other, tiers);
    }
}
