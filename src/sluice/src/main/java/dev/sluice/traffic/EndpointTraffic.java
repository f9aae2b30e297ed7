package dev.sluice.traffic;

/**
 * The exact numbers of calls that matched one endpoint within a minute. Immutable.
 *
 * @param endpoint the endpoint id
 * @param allowed the number of calls that passed, excluding those that a dry run would have refused
 * @param refused the number of calls that this endpoint refused
 * @param wouldRefuse the number of calls that passed only because of a dry run
 * @param reportedElsewhere the number of allowed calls whose {@link dev.sluice.Decision} reports a different endpoint.
 *     The callers of these calls are tallied at that endpoint
 */
public record EndpointTraffic(String endpoint, long allowed, long refused, long wouldRefuse, long reportedElsewhere) {}
