package dev.sluice.traffic;

/**
 * The exact number of calls to one endpoint within a minute. Immutable.
 *
 * @param endpoint the endpoint's id
 * @param allowed how many calls passed, without those that a dry run would have refused
 * @param refused how many calls were refused
 * @param wouldRefuse how many calls passed only because of a dry run
 */
public record EndpointTraffic(String endpoint, long allowed, long refused, long wouldRefuse) {}
