package dev.sluice;

import dev.sluice.tier.Tier;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An item of {@code endpoints} in {@code rate-limits.yml}. It defines which calls are limited, what identifies a
 * caller, which calls count, and how many calls are allowed. Immutable and thread-safe.
 *
 * @param id the id, which is unique in the file
 * @param methods the limited HTTP methods, each with its own counter; empty for all methods, with a shared counter
 * @param pathPatterns the patterns of the limited paths. All paths share the same counters. Empty if the endpoint
 *     limits application methods
 * @param except the patterns of paths that are not limited. This exception applies to a call only if every reading of
 *     its path matches one of these patterns
 * @param on the name of the limited application methods; {@code null} if the endpoint limits requests
 * @param per the subjects that identify a caller; empty to count all callers together
 * @param mode what happens to a call that a limit refuses
 * @param when an additional condition for calls
 * @param countedStatuses the response statuses that count; empty if all statuses count
 * @param countsFailedLogins whether only failed logins count
 * @param cost the cost of a call
 * @param headers which responses show this endpoint's limits in headers
 * @param tiers the tiers; at least one. If costs are charged afterwards, the slack of the tiers is removed, because a
 *     single permit from slack would admit any number of calls
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

    /** Determines which responses show an endpoint's limits in headers. */
    public enum Headers {
        /** No responses. Refusals contain only the endpoint's id and the time to wait before a retry. */
        NONE,
        /**
         * Only refusals. This value is for limits that count only some responses, such as those of failed logins. If
         * other responses showed such a limit, callers could mistake it for the limit that they pay for.
         */
        REFUSALS,
        /** All responses. */
        SHOWN;

        /** The default for an endpoint that does not define {@code headers} in the file. */
        public static Headers unlessWritten(boolean countsByAnswer) {
            return countsByAnswer ? REFUSALS : SHOWN;
        }

        /** The word in the file. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Creates an endpoint that limits requests. It does not set {@code on} or {@code countsFailedLogins}. */
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

    /** Creates an endpoint that limits requests without a condition. Each call costs 1. */
    public Endpoint(String id, Set<String> methods, String pathPattern, List<String> per, Mode mode, List<Tier> tiers) {
        this(id, methods, pathPattern, per, mode, Condition.ALWAYS, Set.of(), Cost.ONE, tiers);
    }

    /**
     * Copies the collections.
     *
     * @throws IllegalArgumentException if there are no tiers, or if the endpoint limits neither paths nor methods
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
            throw new IllegalArgumentException("endpoint " + id + " limits neither paths nor methods");
        }
    }

    /**
     * The name of a tier of this endpoint as callers see it: the endpoint's id, followed by the tier's name if there
     * are several tiers.
     */
    public String policyName(Tier tier) {
        return tiers.size() == 1 ? id : id + '-' + tier.name();
    }

    /** A copy of this endpoint with the given subjects, mode and tiers. */
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

    /** A copy of this endpoint that limits the given paths. */
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
     * Describes the limited calls in the syntax of the file, for example {@code GET, POST /product/*}, {@code any
     * method /a/**, /b/** except /a/static/**} or {@code on: report}.
     */
    public String where() {
        if (on != null) {
            return "on: " + on;
        }
        return (methods.isEmpty() ? "any method" : String.join(", ", new TreeSet<>(methods))) + " " + paths();
    }

    /** Describes the limited paths in the syntax of the file, for example {@code /a/**, /b/** except /a/static/**}. */
    public String paths() {
        return String.join(", ", pathPatterns) + (except.isEmpty() ? "" : " except " + String.join(", ", except));
    }

    /** Whether headers show this endpoint's limits after an admitted or a refused call. */
    public boolean showsHeaders(boolean admitted) {
        return headers == Headers.SHOWN || (headers == Headers.REFUSALS && !admitted);
    }

    /** Whether the response or the result of a login determines whether a call counts. */
    public boolean countsByAnswer() {
        return countsFailedLogins || !countedStatuses.isEmpty();
    }
}
