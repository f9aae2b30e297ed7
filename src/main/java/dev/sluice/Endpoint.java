package dev.sluice;

import dev.sluice.tier.Tier;
import java.util.List;
import java.util.Set;

/**
 * One definition of {@code rate-limits.yml}: which calls it speaks of, who is counted, what counts, and how much is
 * allowed.
 *
 * @param id unique in the file
 * @param methods the methods it speaks of, each with a counter of its own; empty for all, which then share one
 * @param pathPattern the paths it speaks of
 * @param per the subjects that tell callers apart; empty for all callers together
 * @param mode what becomes of a call over the limit
 * @param when the circumstances under which it speaks
 * @param countedStatuses only calls that are answered so count; empty for all
 * @param countsFailedLogins whether only calls count that tried to log in, and failed
 * @param cost how much a call counts for
 * @param tiers at least one; without slack where costs are charged afterwards, since a permit that was never granted
 *     would admit any number of calls, which take nothing
 */
public record Endpoint(
        String id,
        Set<String> methods,
        String pathPattern,
        List<String> per,
        Mode mode,
        Condition when,
        Set<Integer> countedStatuses,
        boolean countsFailedLogins,
        Cost cost,
        List<Tier> tiers) {

    /** A definition that counts logins, failed or not, as it counts all calls. */
    public Endpoint(
            String id,
            Set<String> methods,
            String pathPattern,
            List<String> per,
            Mode mode,
            Condition when,
            Set<Integer> countedStatuses,
            Cost cost,
            List<Tier> tiers) {
        this(id, methods, pathPattern, per, mode, when, countedStatuses, false, cost, tiers);
    }

    /** A definition that speaks always, and of which each call counts as one. */
    public Endpoint(String id, Set<String> methods, String pathPattern, List<String> per, Mode mode, List<Tier> tiers) {
        this(id, methods, pathPattern, per, mode, Condition.ALWAYS, Set.of(), Cost.ONE, tiers);
    }

    public Endpoint {
        methods = Set.copyOf(methods);
        per = List.copyOf(per);
        countedStatuses = Set.copyOf(countedStatuses);
        tiers = cost.charged() ? tiers.stream().map(Tier::withoutSlack).toList() : List.copyOf(tiers);
        if (tiers.isEmpty()) {
            throw new IllegalArgumentException("endpoint " + id + " has no tiers");
        }
    }

    /** The same for callers who are told apart by these subjects, with that mode and those tiers. */
    public Endpoint with(List<String> otherPer, Mode otherMode, List<Tier> otherTiers) {
        return new Endpoint(
                id,
                methods,
                pathPattern,
                otherPer,
                otherMode,
                when,
                countedStatuses,
                countsFailedLogins,
                cost,
                otherTiers);
    }

    /** Whether it is known in the end only whether a call counts. */
    public boolean countsByAnswer() {
        return countsFailedLogins || !countedStatuses.isEmpty();
    }
}
