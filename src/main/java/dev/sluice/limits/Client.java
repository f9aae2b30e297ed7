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
 * Callers for whom not all is as for everybody; of several that fit a call, the first one counts.
 *
 * @param who by the subject's name, the values that are meant; a star in one stands for any characters. All subjects
 *     must fit.
 * @param exempt whether they are never refused, whatever else is said
 * @param multiply what their limits are multiplied by
 * @param mode what becomes of their calls over a limit; {@code null} for what becomes of everybody's
 * @param endpoints by the endpoint's id, what they are allowed there instead
 */
public record Client(
        Map<String, List<String>> who,
        boolean exempt,
        BigDecimal multiply,
        @Nullable Mode mode,
        Map<String, List<Tier>> endpoints) {

    /** The least and the most that limits can be multiplied by. */
    public static final BigDecimal LEAST_MULTIPLE = new BigDecimal("0.001");

    public static final BigDecimal MOST_MULTIPLE = new BigDecimal("1000000");

    public Client {
        who = Collections.unmodifiableMap(new LinkedHashMap<>(who));
        endpoints = Map.copyOf(endpoints);
        if (who.isEmpty()) {
            throw new IllegalArgumentException("a client that is nobody");
        }
        if (multiply.compareTo(LEAST_MULTIPLE) < 0 || multiply.compareTo(MOST_MULTIPLE) > 0) {
            throw new IllegalArgumentException(
                    "multiply " + multiply + " is not from " + LEAST_MULTIPLE + " to " + MOST_MULTIPLE);
        }
    }

    /** Whether limits that are not named are others than everybody's. */
    public boolean multiplies() {
        return multiply.compareTo(BigDecimal.ONE) != 0;
    }

    /** For people: who is meant, for example {@code tenant: acme} or {@code tenant: [ partner-1, partner-eu-* ]}. */
    public String name() {
        StringBuilder name = new StringBuilder();
        who.forEach((subject, values) -> name.append(name.isEmpty() ? "" : ", ")
                .append(subject)
                .append(": ")
                .append(values.size() == 1 ? values.get(0) : "[ " + String.join(", ", values) + " ]"));
        return name.toString();
    }
}
