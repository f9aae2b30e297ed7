package dev.sluice.traffic;

import dev.sluice.Subject;
import java.util.List;

/**
 * The calls that one endpoint refused in some time, and those that passed only because of a dry run.
 *
 * @param endpoint the endpoint's id
 * @param refused how many calls did not pass
 * @param wouldRefuse how many passed only because of a dry run
 * @param callers the callers, most calls first; incomplete if there were very many
 */
public record EndpointRefusals(String endpoint, long refused, long wouldRefuse, List<OfCaller> callers) {

    public EndpointRefusals {
        callers = List.copyOf(callers);
    }

    /**
     * The part of one caller.
     *
     * @param subjects the caller, with values as callers wrote them; empty for all callers together
     * @param tier the tier of the last refusal
     */
    public record OfCaller(List<Subject> subjects, long calls, String tier) {

        public OfCaller {
            subjects = List.copyOf(subjects);
        }
    }
}
