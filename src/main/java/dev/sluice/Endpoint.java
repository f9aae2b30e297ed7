package dev.sluice;

import dev.sluice.tier.Tier;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One item of {@code endpoints} in {@code rate-limits.yml}: which calls it applies to, who is counted, what counts, and
 * how much is allowed.
 *
 * @param id unique in the file
 * @param methods the methods it applies to, each with its own counter; empty for all methods together in one counter
 * @param pathPattern the paths it applies to; empty if it is on methods of the application
 * @param on the name of the application's methods that it applies to; {@code null} if it applies to requests
 * @param per the subjects that callers are counted by; empty to count all callers together
 * @param mode what happens to a call over the limit
 * @param when an extra condition under which it applies
 * @param countedStatuses only calls answered with one of these statuses count; empty for all
 * @param countsFailedLogins whether only failed logins count
 * @param cost how much a call counts
 * @param showsHeaders whether responses have headers of its limits
 * @param tiers at least one; without slack if costs are charged afterwards, since a permit taken from slack would then
 *     admit any number of calls
 */
public record Endpoint(
        String id,
        Set<String> methods,
        String pathPattern,
        @Nullable String on,
        List<String> per,
        Mode mode,
        Condition when,
        Set<Integer> countedStatuses,
        boolean countsFailedLogins,
        Cost cost,
        boolean showsHeaders,
        List<Tier> tiers) {

    /** An endpoint on requests that does not count failed logins only, and shows its headers. */
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
        this(id, methods, pathPattern, null, per, mode, when, countedStatuses, false, cost, true, tiers);
    }

    /** An endpoint without a condition, where each call counts 1. */
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

    /** A copy with other subjects, another mode and other tiers. */
    public Endpoint withLimits(List<String> otherPer, Mode otherMode, List<Tier> otherTiers) {
        return new Endpoint(
                id,
                methods,
                pathPattern,
                on,
                otherPer,
                otherMode,
                when,
                countedStatuses,
                countsFailedLogins,
                cost,
                showsHeaders,
                otherTiers);
    }

    /** What it applies to, in the words of the file: {@code GET, POST /product/*} or {@code on: report}. */
    public String where() {
        if (on != null) {
            return "on: " + on;
        }
        return (methods.isEmpty() ? "any method" : String.join(", ", new TreeSet<>(methods))) + " " + pathPattern;
    }

    /** Whether the answer to a call, or the end of its login, decides if it counts. */
    public boolean countsByAnswer() {
        return countsFailedLogins || !countedStatuses.isEmpty();
    }
}
