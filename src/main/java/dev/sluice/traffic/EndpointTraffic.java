package dev.sluice.traffic;

/**
 * The exact number of calls to one endpoint within a minute.
 *
 * @param endpoint the endpoint's id
 * @param allowed how many passed, without those that a dry run would have refused
 * @param refused how many did not pass
 * @param wouldRefuse how many passed only because of a dry run
 */
public record EndpointTraffic(String endpoint, long allowed, long refused, long wouldRefuse) {}
