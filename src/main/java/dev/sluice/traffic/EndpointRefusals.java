package dev.sluice.traffic;

import dev.sluice.Subject;
import java.util.List;

/**
 * The calls that one endpoint has refused in some time, and those that passed only because of a dry run.
 *
 * @param endpoint the endpoint's id
 * @param refused how many calls did not pass
 * @param wouldRefuse how many passed only because of a dry run
 * @param callers whose calls they were, the most first; not all of them, where they were very many
 */
public record EndpointRefusals(String endpoint, long refused, long wouldRefuse, List<OfCaller> callers) {

    public EndpointRefusals {
        callers = List.copyOf(callers);
    }

    /**
     * How many of them were one caller's.
     *
     * @param subjects who it is, as callers wrote it; empty for all callers together
     * @param tier the tier that refused the last of them
     */
    public record OfCaller(List<Subject> subjects, long calls, String tier) {

        public OfCaller {
            subjects = List.copyOf(subjects);
        }
    }
}
