package dev.sluice.traffic;

/**
 * The exact numbers of calls that matched one endpoint within a minute. Immutable.
 *
 * @param endpoint the endpoint id
 * @param allowed how many calls passed, excluding those that a dry run would have refused
 * @param refused how many calls this endpoint refused
 * @param wouldRefuse how many calls passed only because of a dry run
 * @param reportedElsewhere the number of allowed calls whose {@link dev.sluice.Decision} reports another endpoint;
 *     their callers are tallied there
 */
public record EndpointTraffic(String endpoint, long allowed, long refused, long wouldRefuse, long reportedElsewhere) {}
