package dev.sluice.traffic;

/**
 * The calls of all callers of one endpoint within a minute, counted exactly.
 *
 * @param endpoint the endpoint's id
 * @param allowed how many passed; those that a dry run would have refused not among them
 * @param refused how many did not
 * @param wouldRefuse how many passed only because of a dry run
 */
public record EndpointTraffic(String endpoint, long allowed, long refused, long wouldRefuse) {}
