package dev.sluice.traffic;

import dev.sluice.Subject;
import java.util.List;

/**
 * The calls that one endpoint refused in a period, and those that passed only because of a dry run. Immutable.
 *
 * @param endpoint the endpoint id
 * @param refused the number of refused calls
 * @param wouldRefuse the number of calls that passed only because of a dry run
 * @param callers the refused callers in descending order of their refusals. The list is incomplete if there were too
 *     many callers
 */
public record EndpointRefusals(String endpoint, long refused, long wouldRefuse, List<OfCaller> callers) {

    public EndpointRefusals {
        callers = List.copyOf(callers);
    }

    /**
     * The refusals of one caller.
     *
     * @param subjects the caller's subjects, with unescaped values; empty if all callers are counted together
     * @param calls the number of refused calls, including those that passed only because of a dry run
     * @param tier the name of the tier of the latest refusal
     */
    public record OfCaller(List<Subject> subjects, long calls, String tier) {

        public OfCaller {
            subjects = List.copyOf(subjects);
        }
    }
}
