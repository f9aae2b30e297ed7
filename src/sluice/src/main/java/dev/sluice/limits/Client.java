package dev.sluice.limits;

import dev.sluice.Mode;
import dev.sluice.tier.Tier;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Callers with their own settings: an item of {@code clients} in the file. The first client that matches a call
 * applies. Immutable and thread-safe.
 *
 * @param who the values that match, by the name of a subject; a {@code *} stands for any characters. All subjects must
 *     match
 * @param exempt whether calls are never refused, regardless of all other settings
 * @param multiply the factor for limits
 * @param mode what happens to calls over a limit; {@code null} for the endpoint's mode
 * @param endpoints the tiers that replace an endpoint's tiers, by the endpoint's id
 * @param plan the name of the plan that these settings are added to; empty for the plan that the caller has otherwise
 * @param displayName the name that people use; empty if there is none
 */
public record Client(
        Map<String, List<String>> who,
        boolean exempt,
        BigDecimal multiply,
        @Nullable Mode mode,
        Map<String, List<Tier>> endpoints,
        String plan,
        String displayName) {

    /** The smallest factor. */
    public static final BigDecimal LEAST_MULTIPLE = new BigDecimal("0.001");

    /** The largest factor. */
    public static final BigDecimal MOST_MULTIPLE = new BigDecimal("1000000");

    /**
     * Copies the collections.
     *
     * @throws IllegalArgumentException if there is no subject, or the factor is out of range
     */
    public Client {
        who = Collections.unmodifiableMap(new LinkedHashMap<>(who));
        endpoints = Map.copyOf(endpoints);
        if (who.isEmpty()) {
            throw new IllegalArgumentException("a client needs at least one subject");
        }
        if (multiply.compareTo(LEAST_MULTIPLE) < 0 || multiply.compareTo(MOST_MULTIPLE) > 0) {
            throw new IllegalArgumentException(
                    "multiply must be from " + LEAST_MULTIPLE + " to " + MOST_MULTIPLE + ", but is " + multiply);
        }
    }

    /** A client without a plan and a name. */
    public Client(
            Map<String, List<String>> who,
            boolean exempt,
            BigDecimal multiply,
            @Nullable Mode mode,
            Map<String, List<Tier>> endpoints) {
        this(who, exempt, multiply, mode, endpoints, "", "");
    }

    /** A copy that other values identify. */
    public Client identifiedBy(Map<String, List<String>> others) {
        return new Client(others, exempt, multiply, mode, endpoints, plan, displayName);
    }

    /** The plan whose override this is; {@code null} if it is for single callers. */
    public @Nullable String overriddenPlan() {
        return who.containsKey(ClientOverride.PLAN)
                ? who.get(ClientOverride.PLAN).get(0)
                : null;
    }

    /** Whether the factor is not 1. */
    public boolean multiplies() {
        return multiply.compareTo(BigDecimal.ONE) != 0;
    }

    /**
     * Describes the client for people, for example {@code tenant: acme} or {@code tenant: [ partner-1, partner-eu-* ]}.
     */
    public String name() {
        StringBuilder name = new StringBuilder();
        who.forEach((subject, values) -> name.append(name.isEmpty() ? "" : ", ")
                .append(subject)
                .append(": ")
                .append(values.size() == 1 ? values.get(0) : "[ " + String.join(", ", values) + " ]"));
        return name.toString();
    }
}
