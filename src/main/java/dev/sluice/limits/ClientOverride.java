package dev.sluice.limits;

/**
 * A limit of one client at one endpoint, kept outside the file. Nothing about it has been checked.
 *
 * @param subject by what the client is told, for example {@code tenant}
 * @param value which client it is
 * @param endpoint the endpoint's id
 * @param tiers what it is allowed there, for example {@code 100/1s,5000/10s}
 */
public record ClientOverride(String subject, String value, String endpoint, String tiers) {}
