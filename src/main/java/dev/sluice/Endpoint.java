package dev.sluice;

import dev.sluice.tier.Tier;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One item of {@code endpoints} in {@code rate-limits.yml}: which calls it limits, whom it counts, what counts, and how
 * much is allowed. Immutable and thread-safe.
 *
 * @param id unique in the file
 * @param methods the HTTP methods it limits, each with its own counter; empty for all methods with one common counter
 * @param pathPattern the paths it limits; empty if it limits methods of the application
 * @param on the name that methods of the application have; {@code null} if it limits requests
 * @param per the subjects that identify a caller; empty to count all callers together
 * @param mode what happens to a call that a limit refuses
 * @param when an extra condition on calls
 * @param countedStatuses only responses with one of these statuses count; empty for all
 * @param countsFailedLogins whether only failed logins count
 * @param cost how much a call counts
 * @param showsHeaders whether responses show the limits of this endpoint in headers
 * @param tiers at least one. If costs are charged afterwards, slack is removed: a permit from slack would admit any
 *     number of calls
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

    /** An endpoint that limits requests, counts all calls rather than failed logins, and shows headers. */
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

    /** An endpoint that limits requests without a condition; each call counts 1. */
    public Endpoint(String id, Set<String> methods, String pathPattern, List<String> per, Mode mode, List<Tier> tiers) {
        this(id, methods, pathPattern, per, mode, Condition.ALWAYS, Set.of(), Cost.ONE, tiers);
    }

    /**
     * Copies the collections.
     *
     * @throws IllegalArgumentException if there are no tiers
     */
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

    /** Which calls it limits, in the words of the file: {@code GET, POST /product/*} or {@code on: report}. */
    public String where() {
        if (on != null) {
            return "on: " + on;
        }
        return (methods.isEmpty() ? "any method" : String.join(", ", new TreeSet<>(methods))) + " " + pathPattern;
    }

    /** Whether the response, or the end of the login, decides if a call counts. */
    public boolean countsByAnswer() {
        return countsFailedLogins || !countedStatuses.isEmpty();
    }
}
