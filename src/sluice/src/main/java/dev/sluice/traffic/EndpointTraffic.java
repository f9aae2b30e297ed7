package dev.sluice.traffic;

/**
 * The exact number of calls that one endpoint applied to within a minute. Immutable.
 *
 * @param endpoint the endpoint's id
 * @param allowed how many calls passed, without those that a dry run would have refused
 * @param refused how many calls this endpoint refused
 * @param wouldRefuse how many calls passed only because of a dry run
 * @param reportedElsewhere how many of the allowed calls have a {@link dev.sluice.Decision} that reports another
 *     endpoint; their callers are tallied there
 */
public record EndpointTraffic(String endpoint, long allowed, long refused, long wouldRefuse, long reportedElsewhere) {}
