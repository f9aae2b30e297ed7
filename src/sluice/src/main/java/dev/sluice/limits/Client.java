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
 * Callers with their own settings, as defined by an item of {@code clients} in the file. If several clients match a
 * call, the first one applies. Immutable and thread-safe.
 *
 * @param who the values to match, by subject name. A {@code *} in a value matches any characters. A call must match a
 *     value of every subject
 * @param exempt whether calls are never refused, regardless of all other settings
 * @param multiply the factor by which limits are multiplied
 * @param mode the mode for calls beyond a limit; {@code null} to use the endpoint's mode
 * @param endpoints the tiers that replace an endpoint's tiers, by endpoint id
 * @param plan the name of the plan that these settings extend; empty to extend the plan that the caller has otherwise
 * @param displayName the name shown to people; empty if there is none
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

    /** Creates a client without a plan or a display name. */
    public Client(
            Map<String, List<String>> who,
            boolean exempt,
            BigDecimal multiply,
            @Nullable Mode mode,
            Map<String, List<Tier>> endpoints) {
        this(who, exempt, multiply, mode, endpoints, "", "");
    }

    /** Returns a copy that matches the given subject values. */
    public Client identifiedBy(Map<String, List<String>> others) {
        return new Client(others, exempt, multiply, mode, endpoints, plan, displayName);
    }

    /** Returns the name of the plan if this object is an override of a plan; otherwise {@code null}. */
    public @Nullable String overriddenPlan() {
        return who.containsKey(ClientOverride.PLAN)
                ? who.get(ClientOverride.PLAN).get(0)
                : null;
    }

    /** Whether this client's limits are multiplied by a factor other than 1. */
    public boolean multiplies() {
        return multiply.compareTo(BigDecimal.ONE) != 0;
    }

    /**
     * Describes the client in messages, for example {@code tenant: acme} or
     * {@code tenant: [ partner-1, partner-eu-* ]}.
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
