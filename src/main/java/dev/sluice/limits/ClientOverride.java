package dev.sluice.limits;

/**
 * A limit of one client at one endpoint, set outside the file. Not validated.
 *
 * @param subject the subject that identifies the client, for example {@code tenant}
 * @param value the subject's value
 * @param endpoint the endpoint's id
 * @param tiers the limits, for example {@code 100/1s,5000/10s}
 */
public record ClientOverride(String subject, String value, String endpoint, String tiers) {}
