package dev.sluice;

import dev.sluice.tier.Tier;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One item of {@code endpoints} in {@code rate-limits.yml}. It says which calls are limited, how callers are told
 * apart, which calls count, and how much is allowed. Immutable and thread-safe.
 *
 * @param id unique in the file
 * @param methods the HTTP methods it limits, each with its own counter; empty for all methods with one common counter
 * @param pathPatterns the paths it limits, which all share one count; empty if it limits methods of the application
 * @param except patterns of paths that it does not limit. A call is excepted only if every reading of its path matches
 *     one of them
 * @param on the name that methods of the application have; {@code null} if it limits requests
 * @param per the subjects that identify a caller; empty to count all callers together
 * @param mode what happens to a call that a limit refuses
 * @param when an extra condition on calls
 * @param countedStatuses only responses with one of these statuses count; empty for all
 * @param countsFailedLogins whether only failed logins count
 * @param cost how much a call counts
 * @param headers which responses show the limits of this endpoint in headers
 * @param tiers at least one. If costs are charged afterwards, slack is removed: a permit from slack would admit any
 *     number of calls
 */
public record Endpoint(
        String id,
        Set<String> methods,
        List<String> pathPatterns,
        List<String> except,
        @Nullable String on,
        List<String> per,
        Mode mode,
        Condition when,
        Set<Integer> countedStatuses,
        boolean countsFailedLogins,
        Cost cost,
        Headers headers,
        List<Tier> tiers) {

    /** Which responses show callers the limits of an endpoint in headers. */
    public enum Headers {
        /** None. Refusals tell only the endpoint's id, and when to retry. */
        NONE,
        /**
         * Only refusals. Otherwise, callers could mistake a limit that counts only some answers, such as failed logins,
         * for the limit that they have bought.
         */
        REFUSALS,
        /** All. */
        SHOWN;

        /** The headers of an endpoint for which the file says nothing. */
        public static Headers unlessWritten(boolean countsByAnswer) {
            return countsByAnswer ? REFUSALS : SHOWN;
        }

        /** The word in the file. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** An endpoint that limits requests, and counts all calls rather than failed logins. */
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
        this(
                id,
                methods,
                List.of(pathPattern),
                List.of(),
                null,
                per,
                mode,
                when,
                countedStatuses,
                false,
                cost,
                Headers.unlessWritten(!countedStatuses.isEmpty()),
                tiers);
    }

    /** An endpoint that limits requests without a condition; each call counts 1. */
    public Endpoint(String id, Set<String> methods, String pathPattern, List<String> per, Mode mode, List<Tier> tiers) {
        this(id, methods, pathPattern, per, mode, Condition.ALWAYS, Set.of(), Cost.ONE, tiers);
    }

    /**
     * Copies the collections.
     *
     * @throws IllegalArgumentException if there are no tiers, or if it limits neither paths nor methods
     */
    public Endpoint {
        methods = Set.copyOf(methods);
        pathPatterns = List.copyOf(pathPatterns);
        except = List.copyOf(except);
        per = List.copyOf(per);
        countedStatuses = Set.copyOf(countedStatuses);
        tiers = cost.charged() ? tiers.stream().map(Tier::withoutSlack).toList() : List.copyOf(tiers);
        if (tiers.isEmpty()) {
            throw new IllegalArgumentException("endpoint " + id + " has no tiers");
        }
        if (on == null && pathPatterns.isEmpty()) {
            throw new IllegalArgumentException("endpoint " + id + " has neither a path pattern nor a name of methods");
        }
    }

    /** The name of one of its tiers for callers: its id, followed by the tier's name if it has several tiers. */
    public String policyName(Tier tier) {
        return tiers.size() == 1 ? id : id + '-' + tier.name();
    }

    /** A copy with other subjects, another mode and other tiers. */
    public Endpoint withLimits(List<String> otherPer, Mode otherMode, List<Tier> otherTiers) {
        return new Endpoint(
                id,
                methods,
                pathPatterns,
                except,
                on,
                otherPer,
                otherMode,
                when,
                countedStatuses,
                countsFailedLogins,
                cost,
                headers,
                otherTiers);
    }

    /** A copy that limits these paths. */
    public Endpoint withPaths(List<String> patterns, List<String> exceptions) {
        return new Endpoint(
                id,
                methods,
                patterns,
                exceptions,
                on,
                per,
                mode,
                when,
                countedStatuses,
                countsFailedLogins,
                cost,
                headers,
                tiers);
    }

    /**
     * Which calls it limits, in the words of the file: {@code GET, POST /product/*}, {@code any method /a/**, /b/**
     * except /a/static/**} or {@code on: report}.
     */
    public String where() {
        if (on != null) {
            return "on: " + on;
        }
        return (methods.isEmpty() ? "any method" : String.join(", ", new TreeSet<>(methods))) + " " + paths();
    }

    /** The paths that it limits, in the words of the file: {@code /a/**, /b/** except /a/static/**}. */
    public String paths() {
        return String.join(", ", pathPatterns) + (except.isEmpty() ? "" : " except " + String.join(", ", except));
    }

    /** Whether a call that was admitted, or refused, shows the limits of this endpoint in headers. */
    public boolean showsHeaders(boolean admitted) {
        return headers == Headers.SHOWN || (headers == Headers.REFUSALS && !admitted);
    }

    /** Whether the response, or the end of the login, decides if a call counts. */
    public boolean countsByAnswer() {
        return countsFailedLogins || !countedStatuses.isEmpty();
    }
}
