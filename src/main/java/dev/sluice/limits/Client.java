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
 * Callers with overrides. The first client that matches a call applies.
 *
 * @param who for each subject's name, the values that match; a star stands for any characters. All subjects must match.
 * @param exempt whether they are never refused, regardless of all other settings
 * @param multiply the factor for their limits
 * @param mode what happens to their calls over a limit; {@code null} for the endpoint's mode
 * @param endpoints by the endpoint's id, the tiers that replace the endpoint's
 * @param plan the name of their plan, to which all of this is added; empty for the one that they have otherwise
 * @param displayName what people call them; empty if they have no name
 */
public record Client(
        Map<String, List<String>> who,
        boolean exempt,
        BigDecimal multiply,
        @Nullable Mode mode,
        Map<String, List<Tier>> endpoints,
        String plan,
        String displayName) {

    /** The smallest and the largest factor. */
    public static final BigDecimal LEAST_MULTIPLE = new BigDecimal("0.001");

    public static final BigDecimal MOST_MULTIPLE = new BigDecimal("1000000");

    public Client {
        who = Collections.unmodifiableMap(new LinkedHashMap<>(who));
        endpoints = Map.copyOf(endpoints);
        if (who.isEmpty()) {
            throw new IllegalArgumentException("a client needs at least one subject");
        }
        if (multiply.compareTo(LEAST_MULTIPLE) < 0 || multiply.compareTo(MOST_MULTIPLE) > 0) {
            throw new IllegalArgumentException(
                    "multiply " + multiply + " is not from " + LEAST_MULTIPLE + " to " + MOST_MULTIPLE);
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

    /** The same client, identified by other values. */
    public Client identifiedBy(Map<String, List<String>> others) {
        return new Client(others, exempt, multiply, mode, endpoints, plan, displayName);
    }

    /** Whether the factor is not 1. */
    public boolean multiplies() {
        return multiply.compareTo(BigDecimal.ONE) != 0;
    }

    /** A text for people, for example {@code tenant: acme} or {@code tenant: [ partner-1, partner-eu-* ]}. */
    public String name() {
        StringBuilder name = new StringBuilder();
        who.forEach((subject, values) -> name.append(name.isEmpty() ? "" : ", ")
                .append(subject)
                .append(": ")
                .append(values.size() == 1 ? values.get(0) : "[ " + String.join(", ", values) + " ]"));
        return name.toString();
    }
}
